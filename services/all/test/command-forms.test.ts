import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { databaseRoles } from '../src/database-roles.js'
import { servicePrograms } from '../src/programs.js'
import { launcher } from './support/author.js'
import { root } from './support/readmes/documents.js'

const sql = databaseRoles(servicePrograms.map(({ name }) => name))

// Without --no, npx would download a package of this name if none is installed.
const forms: Record<string, string[]> = {
  'npx figbase-server': ['npx', '--no', '--', 'figbase-server'],
  'npm start --': ['npm', 'start', '--'],
  'node services/all/start.mjs': [process.execPath, launcher],
}

async function run([file = '', ...args]: string[]) {
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, output, error }
}

for (const [form, command] of Object.entries(forms)) {
  test(`${form} runs a command`, async () => {
    const { code, output, error } = await run([...command, 'database-roles'])
    assert.equal(code, 0, error)
    // npm prints the name of the script before.
    const before = form === 'npm start --' ? /^\n> .+\n> .+\n\n/ : /^/
    assert.equal(output.replace(before, ''), `${sql}\n`)
  })

  test(`${form} exits with 1 if an argument is wrong`, async () => {
    const { code, error } = await run([...command, 'backup'])
    assert.equal(code, 1)
    assert.match(
      error,
      /^figbase-server: backup takes the directory of the backups\.\n {2}figbase-server backup --help/m,
    )
  })
}
