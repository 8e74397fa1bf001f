import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newApiKey } from '../src/api-keys.js'
import { deployment } from '../src/deployment.js'
import { runProgram } from '../src/generated-clients/run-program.js'
import { signUp } from '../src/users.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const compiler = join(root, 'node_modules/typescript/bin/tsc')

test('the examples in the README of the client are one program, which compiles and runs', async () => {
  const readme = await readFile(join(root, 'gateway/client/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
  assert.ok(blocks.length >= 4)
  const { api } = await signUp()
  const { token } = await newApiKey(api, { name: 'README' })
  const work = await mkdtemp(join(root, 'test/dist/readme-'))
  try {
    await writeFile(join(work, 'package.json'), '{ "type": "module" }')
    await writeFile(join(work, 'readme.ts'), blocks.join('\n'))
    await symlink(join(root, 'test/node_modules'), join(work, 'node_modules'))
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
    const lib = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable']
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node']
    const file = join(work, 'readme.ts')
    await runProgram(process.execPath, [compiler, ...options, ...lib, ...types, file])
    const env = { FIGBASE_URL: deployment.origin.origin, FIGBASE_TOKEN: token }
    const output = await runProgram(process.execPath, [join(work, 'readme.js')], env)
    assert.match(output, /^http.*\/r\/[\da-f-]{36}\nRain\n/)
    assert.match(output, /\nMonthly means\n/)
    assert.match(output, /\nbegun { has_gap: false }\n/)
    assert.match(output, /\n\d+ of \d+ bytes\n[\da-f]{64} \d+\nundefined\nnull SUCCESS$/)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
})
