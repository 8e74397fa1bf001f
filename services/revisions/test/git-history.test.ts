import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { startImporting, succeeded } from './git/imports.js'

const commitsMax = 500
const commitsBetweenImports = 100
/** Of those, the server never sends the bytes. */
const largeBytes = 400_000

type Picture = { path: string; content: string; seen: string[] }

/** A generator with a seed, so that a failure can be repeated. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

test('500 commits with renames, merges and large files give exact counts in each of five imports', async () => {
  await using at = await startImporting({ env: { GIT_FILE_BYTES_MAX: '100000' } })
  const { id } = await at.register({ exclude: ['ignored'] })
  const random = randomFrom(7)
  const pictures = new Map<number, Picture>()
  let names = 0
  // Most of it never changes, so that Git recognizes it after a rename and a change.
  const newContent = () => `${randomBytes(300).toString('hex')}\n`
  const newPath = () => `folder${random(5)}/picture${names++}.png`
  let figures = 0
  let stream = ''
  let commits = 0
  /** The commit on which the next one of the branch is made. */
  let tip = ''

  const change = (): string => {
    const ids = [...pictures.keys()]
    const one = pictures.get(ids[random(ids.length || 1)] ?? -1)
    const kind = random(10)
    if (!one || kind < 3) {
      const picture = { path: newPath(), content: newContent(), seen: [] }
      pictures.set(names, picture)
      return write(picture)
    }
    if (kind < 6) {
      one.content = `${one.content.split('\n')[0]}\n${names++}\n`
      return write(one)
    }
    if (kind < 9) {
      const from = one.path
      one.path = newPath()
      return `R ${from} ${one.path}\n`
    }
    const [gone] = [...pictures].find(([, picture]) => picture === one) ?? []
    pictures.delete(gone ?? -1)
    return `D ${one.path}\n`
  }
  const write = ({ path, content }: Pick<Picture, 'path' | 'content'>) =>
    `M 644 inline ${path}\ndata ${content.length}\n${content}\n`
  const commit = (changes: string, branch = 'main', merged = '') => {
    const author = `Ada <ada@example.org> ${1_700_000_000 + commits++ * 60} +0000`
    const from = tip === '' ? '' : `from ${tip}\n`
    const merge = merged ? `merge ${merged}\n` : ''
    stream += `commit refs/heads/${branch}\nmark :${commits}\nauthor ${author}\ncommitter ${author}\ndata 8\na change\n${from}${merge}${changes}`
    if (branch === 'main') tip = `:${commits}`
  }

  for (let round = 0; round * commitsBetweenImports < commitsMax; round++) {
    const before = new Map([...pictures].map(([key, { path }]) => [key, path]))
    for (const end = commits + commitsBetweenImports; commits < end; ) {
      const isMerge = commits > 0 && commits % 10 === 0 && commits + 2 <= end
      if (!isMerge) commit(change())
      else {
        const changes = change()
        commit(changes, 'side')
        commit(changes, 'main', `:${commits}`)
      }
    }
    const large = { path: `large${round}.png`, content: 'x'.repeat(largeBytes) }
    // Amends the last commit of the round: the number of commits stays exact.
    stream += `${write(large)}${write({ path: `ignored/${round}.png`, content: 'y' })}`
    at.send(stream)
    stream = ''
    tip = 'refs/heads/main^0'
    assert.equal(Number(at.run('rev-list', '--count', 'main')), commits)

    const counts = succeeded(await at.import(id))
    const expected = { figures: pictures.size, figuresCreated: 0, figuresChanged: 0 }
    const all = { ...expected, figuresRenamed: 0, refused: round + 1 }
    for (const [key, { path, content, seen }] of pictures) {
      const old = before.get(key)
      if (seen.length === 0) all.figuresCreated++
      else {
        if (seen.at(-1) !== content) all.figuresChanged++
        if (old !== path) all.figuresRenamed++
      }
      if (seen.at(-1) !== content) seen.push(content)
    }
    figures += all.figuresCreated
    const nonzero = Object.fromEntries(Object.entries(all).filter(([, number]) => number > 0))
    assert.deepEqual(counts, nonzero, `import ${round + 1}`)
  }
  const nodes = [...at.bench.catalog.nodes.values()]
  const made = nodes.filter(({ type, name }) => type === NodeType.FIGURE && name)
  assert.equal(made.length, figures, 'no figure is doubled, and none is deleted')
  for (const { path, seen } of pictures.values()) {
    const node = made.find(({ name }) => `${name}.png` === path)
    const [row] = await at.bench.query<{ n: number }>(
      'select count(*)::int as n from revision where parent_id = $1',
      [node?.id],
    )
    assert.equal(row?.n, seen.length, path)
  }
})
