import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { program } from './author.js'
import { type Block, readBlocks } from './readmes/blocks.js'
import { Session } from './readmes/session.js'

const root = join(dirname(program), '..', '..')
const notOurs = new Set([
  'node_modules',
  'dist',
  'gen',
  '.git',
  '.turbo',
  '.figbase',
  'grpc-client',
])

function findDocuments(below = ''): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : findDocuments(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

async function run(name: string, blocks: Block[]): Promise<void> {
  await using session = await Session.open(root)
  await session.run(name, blocks)
}

for (const name of findDocuments()) {
  test(`the blocks of ${name} run as written, in order`, async (t) => {
    const blocks = readBlocks(name, await readFile(join(root, name), 'utf8'))
    for (const { line, notRun } of blocks) {
      if (notRun) t.diagnostic(`${name}:${line} is not run: ${notRun}`)
    }
    const shown = blocks.filter(({ notRun }) => notRun === undefined)
    if (shown.length > 0) await run(name, shown)
  })
}

test('a block that fails is shown with its line and what it printed; none after it is run', async () => {
  const document = [
    '```sh',
    'WHO=ada',
    '```',
    '```sh',
    'echo "hello, $WHO"',
    'false | cat',
    '```',
    '```sh',
    'echo never',
    '```',
  ]
  await assert.rejects(run('X.md', readBlocks('X.md', document.join('\n'))), (error: Error) => {
    assert.match(
      error.message,
      /^X\.md:5: ended with 1; it began after \d+ s\n\necho "hello, \$WHO"\nfalse/,
    )
    assert.match(error.message, /\nhello, ada\n$/)
    return true
  })
})

test('an error of the API fails its block, wherever it goes', async () => {
  const server = createServer((_, answer) => answer.writeHead(409).end('{"error": "conflict"}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const document = `\`\`\`sh\nID=$(curl -s http://127.0.0.1:${port}/ | tee answer)\n\`\`\``
  await assert.rejects(run('X.md', readBlocks('X.md', document)), /X\.md:2: ended with 22/)
  server.close()
})

test('what a block lacks is an error', async () => {
  const document = '```sh\necho "$NOBODY_SET_THIS"\n```'
  await assert.rejects(
    run('X.md', readBlocks('X.md', document)),
    /X\.md:2: ended with 1;[\s\S]*unbound/,
  )
})
