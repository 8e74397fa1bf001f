import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseArguments } from '../src/arguments.js'
import { commands, descriptions } from '../src/commands/index.js'
import { Failure } from '../src/failure.js'
import { processNames } from '../src/programs.js'

const textOf = (...args: string[]) => parseArguments(args).text ?? ''

function failureOf(...args: string[]): Failure {
  try {
    parseArguments(args)
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error(`${args.join(' ')} was accepted`)
}

test('without a command, with start and with serve all, Figbase starts', () => {
  for (const words of [[], ['start'], ['serve', 'all']]) {
    assert.deepEqual(parseArguments(words), { distributed: false })
    assert.deepEqual(parseArguments([...words, '--distributed']), { distributed: true })
  }
})

test('serve names one process', () => {
  for (const name of processNames) {
    assert.deepEqual(parseArguments(['serve', name]), { serve: name })
  }
})

test('every other command is prepared with its example', () => {
  for (const { name, example } of commands) {
    const words = example.replace(/ > .*/, '').split(' ')
    assert.equal(words[0], name)
    assert.ok(parseArguments(words).command, example)
  }
})

test('--help lists all commands, each in one line', () => {
  const lines = textOf('--help').split('\n')
  assert.match(lines[0] ?? '', /^Usage: figbase-server /)
  for (const { name, summary } of descriptions) {
    assert.ok(
      lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`)),
      name,
    )
  }
  assert.equal(textOf('-h'), textOf('--help'))
})

test('--help after a command prints its usage, arguments, options and an example', () => {
  for (const one of descriptions) {
    const text = textOf(one.name, '--help')
    assert.ok(text.startsWith(`Usage: figbase-server ${one.name}`), text)
    assert.match(text, new RegExp(`\n  figbase-server ${one.name}[^\n]*$`))
    const { arguments: words = {}, options } = one
    const rows = [
      ...Object.entries(words),
      ...Object.entries(options).map(([name, { description }]) => [`--${name}`, description]),
    ]
    for (const [word = '', description = ''] of rows) {
      const line = text.split('\n').find((each) => each.startsWith(`  ${word} `))
      assert.ok(line?.endsWith(`  ${description}`), `${one.name}: ${word}`)
    }
    assert.equal(textOf('--help', one.name), text)
  }
})

test('the help of backup', () => {
  assert.equal(
    textOf('backup', '--help'),
    `Usage: figbase-server backup <directory> [options]

Creates a backup in a subdirectory named by its time.

Arguments
  <directory>  the directory of the backups; it is created if it does not exist

Options
  --keep <n>      number of backups to keep in the directory, the newest ones
  --with-volumes  also copies the files of notebooks of the driver \`local\`
  --help, -h      prints this text

Example
  figbase-server backup ../backups --keep 7`,
  )
})

test('no line of a help text is longer than 100 characters', () => {
  const texts = [textOf('--help'), ...descriptions.map(({ name }) => textOf(name, '--help'))]
  assert.deepEqual(
    texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 100),
    [],
  )
})

test('--version prints the version of the product', () => {
  const manifest = new URL('../../../../package.json', import.meta.url)
  assert.equal(textOf('--version'), JSON.parse(readFileSync(manifest, 'utf8')).version)
})

test('an error names the help that describes what was wrong', () => {
  const cases: [string[], RegExp, string][] = [
    [['backups'], /^Unknown command 'backups'\.$/, 'figbase-server --help lists'],
    [['--bogus'], /^Unknown option '--bogus'\.$/, 'figbase-server --help lists'],
    [['backup'], /^backup takes the directory/, 'figbase-server backup --help describes'],
    [['doctor', '--keep', '1'], /^Unknown option '--keep'\.$/, 'figbase-server doctor --help'],
    [['start', 'all'], /^Unknown word 'all'\.$/, 'figbase-server start --help describes'],
    [['serve', 'x'], /^serve takes one of all, gateway/, 'figbase-server serve --help describes'],
    [['serve', 'all', '--json'], /^Unknown option '--json'/, 'figbase-server serve --help'],
  ]
  for (const [args, message, remedy] of cases) {
    const failure = failureOf(...args)
    assert.match(failure.message, message)
    assert.ok(failure.remedy.startsWith(remedy), failure.remedy)
  }
})
