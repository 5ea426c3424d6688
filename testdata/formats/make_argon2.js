// make_argon2 answers for npm's argon2: README.md has the questions.
'use strict'

const argon2 = require('argon2')
const { serve } = require('./maker.js')

const of = type => password => argon2.hash(password, { type, memoryCost: 64, timeCost: 2, parallelism: 2 })
serve(`npm's argon2 ${require('argon2/package.json').version}`,
  (password, stored) => argon2.verify(stored, password),
  { argon2id: of(argon2.argon2id), argon2i: of(argon2.argon2i), argon2d: of(argon2.argon2d) },
  { 'argon2id default': password => argon2.hash(password) })
