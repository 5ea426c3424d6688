// maker answers for a maker of password hashes that is written in JavaScript: README.md has the questions.
'use strict'

// text returns a password as text, for makers that take no bytes.
exports.text = password => {
  const s = password.toString()
  if (!Buffer.from(s).equals(password)) throw new Error('takes text, and this is no UTF-8')
  return s
}

async function attempt (call, ...args) {
  try {
    const answer = await call(...args)
    return { true: 'y', false: 'n' }[answer] ?? answer
  } catch (e) {
    return '! ' + e.message.replace(/\s+/g, ' ').slice(0, 120)
  }
}

// serve gets the maker's forms: a name, and a function from a password to its hash.
exports.serve = async (version, check, cheap, preset) => {
  console.log(version)
  for await (const line of require('readline').createInterface({ input: process.stdin })) {
    const [verb, ...rest] = line.split(' | ')
    if (verb === 'check') {
      console.log(await attempt(check, Buffer.from(rest[1], 'hex'), rest[2]))
      continue
    }
    if (verb === 'published') continue // they are not in the package
    for (const [form, make] of Object.entries(verb === 'default' ? preset : cheap)) {
      console.log([form, rest[0], await attempt(make, Buffer.from(rest[0], 'hex'))].join(' | '))
    }
  }
}
