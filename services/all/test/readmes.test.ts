import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { readBlocks } from './support/readmes/blocks.js'
import {
  findDocuments,
  guideFolders,
  guideIn,
  readDocument,
  root,
  runBlocks,
  testDocuments,
} from './support/readmes/documents.js'
import { brokenLinks } from './support/readmes/links.js'

const documents = findDocuments()
const inGuides = new Set(guideFolders.flatMap(guideIn))

for (const name of documents.filter((document) => !inGuides.has(document))) {
  testDocuments(name, [name])
}

for (const folder of guideFolders) {
  test(`the index of ${folder} lists each page once`, () => {
    const files = documents.filter((name) => dirname(name) === folder)
    assert.deepEqual(guideIn(folder).sort(), files.sort())
  })
}

test('each relative link leads to a file, and to a heading if it names one', async () => {
  const texts = new Map<string, string>()
  for (const name of documents) texts.set(name, await readDocument(name))
  const broken = [...texts].flatMap(([name, text]) =>
    brokenLinks(name, text, {
      exists: (path) => existsSync(join(root, path)),
      textOf: (path) => texts.get(path),
    }),
  )
  assert.deepEqual(broken, [])
})

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
    'echo unreachable',
    '```',
  ]
  await assert.rejects(runBlocks(readBlocks('X.md', document.join('\n'))), (error: Error) => {
    assert.match(
      error.message,
      /^X\.md:5: ended with 1; it began after \d+ s\n\necho "hello, \$WHO"\nfalse/,
    )
    assert.match(error.message, /\nhello, ada\n$/)
    return true
  })
})

test('an API error fails its block, also in a pipe', async () => {
  const server = createServer((_, answer) => answer.writeHead(409).end('{"error": "conflict"}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const document = `\`\`\`sh\nID=$(curl -s http://127.0.0.1:${port}/ | tee answer)\n\`\`\``
  await assert.rejects(runBlocks(readBlocks('X.md', document)), /X\.md:2: ended with 22/)
  server.close()
})

test('what a block lacks is an error', async () => {
  const document = '```sh\necho "$NOBODY_SET_THIS"\n```'
  await assert.rejects(
    runBlocks(readBlocks('X.md', document)),
    /X\.md:2: ended with 1;[\s\S]*unbound/,
  )
})
