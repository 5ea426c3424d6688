// make_bcryptjs answers for npm's bcryptjs: README.md has the questions.
'use strict'

const fs = require('fs')
const path = require('path')
const { serve, text } = require('./maker.js')

// Its package.json is not among its exports, nor its version in its code.
const main = require.resolve('bcryptjs')
const { version } = JSON.parse(fs.readFileSync(path.join(main.slice(0, main.lastIndexOf('bcryptjs')), 'bcryptjs', 'package.json')))
const load = require('bcryptjs')
const bcrypt = load.default ?? load

serve(`npm's bcryptjs ${version}`,
  (password, stored) => bcrypt.compareSync(text(password), stored),
  { '2b': password => bcrypt.hashSync(text(password), 4) },
  { '2b default': password => bcrypt.hashSync(text(password)) })
