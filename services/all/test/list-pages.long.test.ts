import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Author, program } from './support/author.js'
import { inDatabase } from './support/in-database.js'
import { Bench } from './support/launched.js'

/** Pages through a list of 100,000 figures while eight writers create and change others. */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const FIGURES = 100_000
const WRITERS = 8
const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d', RATE_LIMIT_REQUESTS: '1000000' }

type Named = { api_id: string }
type Page = { items: Named[]; next: string | null }

const figures = `
  insert into node (id, type, parent_id, lineage, workspace_id, state, name, created_by, created_on, updated_on)
  select gen_random_uuid(), 'figure', a.id, a.lineage || gen_random_uuid(), a.workspace_id, 'active', 'figure ' || n,
         'ada', now() - interval '1 day' + (n / 3) * interval '1 ms',
         case when n % 3 = 0 then now() - interval '1 hour' + (n / 5) * interval '1 us' end
    from node a, generate_series(1, $2::int) n where a.id = $1`
const lineages = `update node set lineage = lineage[:2] || id where type = 'figure'`

test(`the pages of ${FIGURES} figures, while ${WRITERS} writers insert: none is missed, none is there twice`, async (t) => {
  const dataDir = await bench.dir()
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const workspace = (await author.json<Named[]>('GET', 'workspace/'))[0]?.api_id
  const { api_id: analysis } = await author.json<Named>('POST', 'analysis/', {
    name: 'A',
    workspace,
  })
  await inDatabase(dataDir, 'catalog', async (client) => {
    await client.query(figures, [analysis, FIGURES])
    await client.query(lineages)
    await client.query('analyze node')
  })
  const stored = new Set(await idsIn(author, 'figure/?page_size=1000&fields=api_id'))
  assert.equal(stored.size, FIGURES)

  const lists = {
    'the whole list': 'figure/?page_size=1000&fields=api_id',
    'what changed since': 'figure/?page_size=1000&fields=api_id&updated_after=1970-01-01',
  }
  for (const [name, path] of Object.entries(lists)) {
    let written = 0
    const end = new AbortController()
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!end.signal.aborted) {
        const { api_id } = await author.json<Named>('POST', 'figure/', { name: 'new', analysis })
        await author.json('PATCH', `figure/${api_id}/`, { name: 'changed' })
        written++
      }
    })
    const started = performance.now()
    const ids = await idsIn(author, path)
    const seconds = (performance.now() - started) / 1000
    end.abort()
    await Promise.all(writers)
    const times = new Map<string, number>()
    for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
    assert.deepEqual(
      [...stored].filter((id) => times.get(id) !== 1),
      [],
      name,
    )
    // What is created meanwhile may be there. A change moves an object to the end of what changed.
    const isByAge = name === 'the whole list'
    if (isByAge)
      assert.deepEqual(
        [...times.values()].filter((count) => count > 1),
        [],
      )
    assert.ok(written > WRITERS, `only ${written} figures were created`)
    t.diagnostic(
      `${name}: ${ids.length} in ${seconds.toFixed(1)} s, ${written} created and changed meanwhile`,
    )
  }
})

/** Follows the cursors to the end. */
async function idsIn(author: Author, path: string): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  for (;;) {
    const { items, next } = await author.json<Page>('GET', `${path}${cursor}`)
    for (const { api_id } of items) ids.push(api_id)
    if (next === null) return ids
    cursor = `&cursor=${next}`
  }
}
