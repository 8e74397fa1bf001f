import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { openRepository } from '../src/git/open-repository.js'
import { git, testGit } from './git/git.js'
import { gitHandler, type HttpsServer, startHttpsServer } from './git/https-server.js'

let root: string
let server: HttpsServer
const { signal } = new AbortController()

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  git(root, ['init', '-q', '--bare', '-b', 'main', 'small.git'])
  git(join(root, 'small.git'), ['fast-import', '--quiet'], smallRepository)
  server = await startHttpsServer(gitHandler(root))
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

const data = (content: string) => `data ${Buffer.byteLength(content)}\n${content}`
const author = (second: number) =>
  `author Ada <ada@x.org> ${second} +0000\ncommitter Ada <ada@x.org> ${second} +0000`
const smallRepository = `commit refs/heads/main
mark :1
${author(1000)}
${data('First\n\nMore.')}
M 644 inline a.txt
${data('a')}
M 644 inline b/c.txt
${data('content of c, which is long enough to be recognized')}
commit refs/heads/main
mark :2
${author(2000)}
${data('Second')}
from :1
R b/c.txt d.txt
M 644 inline e.txt
${data('e')}
reset refs/tags/v1
from :1

tag v2
from :2
tagger Ada <ada@x.org> 3000 +0000
${data('The second')}
`

test('lists and reads a repository over HTTPS, and leaves nothing', async () => {
  const gitOfTest = testGit(['127.0.0.1'], server.caFile)
  const remote = { url: `${server.origin}/small.git`, branch: 'main' }
  const bare = join(root, 'small.git')
  const [second = '', first = ''] = git(bare, ['log', '--format=%H', 'main']).split('\n')
  {
    await using repository = await openRepository(gitOfTest, remote, signal)
    assert.deepEqual(repository.head, {
      id: second,
      author: 'Ada',
      date: new Date(2_000_000),
      subject: 'Second',
    })
    assert.equal(repository.isHistoryComplete, true)
    const { files, refused } = await repository.listFiles()
    assert.deepEqual(
      files.map(({ path, sizeBytes }) => [path, sizeBytes]),
      [
        ['a.txt', 1],
        ['d.txt', 51],
        ['e.txt', 1],
      ],
    )
    assert.deepEqual(refused, [])
    const contents = await Promise.all(
      files.map(async ({ blobId }) => text(await repository.read(blobId))),
    )
    assert.deepEqual(contents, ['a', 'content of c, which is long enough to be recognized', 'e'])
    const changes = await repository.lastChanges()
    assert.deepEqual(
      files.map(({ path }) => changes.get(path)?.subject),
      ['First', 'Second', 'Second'],
    )
    assert.deepEqual([...(await repository.renamesSince(first))], [['b/c.txt', 'd.txt']])
    assert.deepEqual((await repository.renamesSince('0'.repeat(40))).size, 0)
    assert.deepEqual(
      await repository.tags(),
      new Map([
        [first, ['v1']],
        [second, ['v2']],
      ]),
    )
  }
  assert.deepEqual(
    (await readdir(tmpdir())).filter((name) => name.startsWith('figbase-git-')),
    [],
  )
})
