import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deployment } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  base64,
  code,
  image,
  newAsset,
  newFigure,
  newPlace,
  publish,
  publishAsset,
  table,
} from '../src/publish.js'
import { expectSafePage } from '../src/safe-page.js'
import { newStory } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

const hostile = `<script>alert("1")</script>'"><img src=x onerror=alert(2)>&amp;`

/** Two rows: depth 10 at site `<b>A`, and depth 20 at site B. */
const parquet =
  'UEFSMRUGFRQVFFwVBBUAFQQVABUEFQAAAAMDCgAAABQAAAAVBhUeFR5cFQQVABUEFQAVBBUAAAADAwQAAAA8Yj5BAQAAAEIVBBk8SARyb290FQQAFQIlAhgFZGVwdGgAFQwlAhgEc2l0ZSUAABYEGRwZLCYIHBUCGRUAGRgFZGVwdGgVABYEFj4WPiYIAAAmRhwVDBkVABkYBHNpdGUVABYEFkgWSCZGAAAWhgEWBDaGAQAoCWh5cGFycXVldBksHAAAHAAAAIAAAABQQVIx'

let alice: TestUser
let revision: string
let assetRevision: string

before(async () => {
  alice = await signUp()
  const { workspace, figure } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id, { name: `Samples ${hostile}` })
  const rows = Array.from(
    { length: 30 },
    (_, i) => `2026-11-01,${i},"${hostile.replaceAll('"', '""')}"`,
  )
  const csv = `day,count,note\n${rows.join('\n')}\n`
  assetRevision = (await publishAsset(alice.api, asset.api_id, [table(csv)])).api_id
  const spec = JSON.stringify({ mark: { type: 'bar' }, [hostile]: [hostile, 1] })
  const text = {
    name: 'spec',
    type: 'text' as const,
    metadata: { format: 'json' },
    data: base64(Buffer.from(spec)),
  }
  const data = [image(png(60, 40)), code(Buffer.from(`# ${hostile}\nx = f("a")`)), text, table(csv)]
  const assets = [{ asset_revision: assetRevision, use_type: 'direct' }]
  const metadata = { notebook: hostile, cell: 3 }
  revision = (await publish(alice.api, figure.api_id, data, { metadata, assets })).api_id
})

async function textOf(path: string, reader = alice) {
  const headers = { authorization: reader.api.authorization ?? '' }
  const answer = await fetch(new URL(path, deployment.origin), { headers })
  assert.equal(answer.status, 200)
  const text = await answer.text()
  expectSafePage(text, answer.headers)
  return text
}

test('highlights code', async () => {
  const text = await textOf(`/r/${revision}/`)
  assert.match(text, /<span class="hc"># &lt;script&gt;[^\n]*<\/span>/)
  assert.match(text, /x = f\(<span class="hs">&quot;a&quot;<\/span>\)/)
})

test('shows the first rows of a table with the types of its columns', async () => {
  for (const path of [`/r/${revision}/`, `/asset_revision/${assetRevision}/`]) {
    const text = await textOf(path)
    for (const head of [
      'day <span class="quiet">date',
      'count <span class="quiet">number',
      'note <span class="quiet">text',
    ]) {
      assert.ok(text.includes(`<th scope="col">${head}</span></th>`), head)
    }
    assert.equal(text.match(/<tr>/g)?.length, 21)
    assert.match(text, /The first 20 rows of this table/)
  }
})

test('shows the rows of a Parquet table, and nothing of a file that is none', async () => {
  const { analysis } = await newPlace(alice.api)
  const { api_id } = await newFigure(alice.api, analysis.api_id)
  const dataframe = (data: string) => ({
    name: 'samples',
    type: 'dataframe' as const,
    metadata: { format: 'pandas/parquet' },
    data,
  })
  const none = dataframe(base64(Buffer.alloc(100, 'PAR1')))
  const { api_id: id } = await publish(alice.api, api_id, [dataframe(parquet), none])
  const text = await textOf(`/r/${id}/`)
  assert.equal(text.match(/<h3><bdi>samples.parquet/g)?.length, 1)
  assert.ok(text.includes('<td class="number">10</td><td>&lt;b&gt;A</td>'))
})

test('shows JSON and metadata folded', async () => {
  const text = await textOf(`/r/${revision}/`)
  assert.match(text, /<span class="hf">type<\/span>: <span class="hs">&quot;bar&quot;<\/span>/)
  assert.match(text, /<summary><h2>Metadata<\/h2><\/summary>/)
  assert.match(text, /<span class="hf">cell<\/span>: <a href="[^"]+"><span class="hn">3<\/span>/)
})

test('shows how to cite a revision', async () => {
  const text = await textOf(`/r/${revision}/`)
  const address = new URL(`/r/${revision}`, deployment.origin).href
  const date = new Date().toISOString().slice(0, 4)
  assert.ok(text.includes(`<code>${address}</code>`))
  assert.match(
    text,
    new RegExp(`<code>${alice.username} \\(${date}-..-..\\)\\. Figure 1, revision 1\\. http`),
  )
  assert.ok(text.includes(`@misc{figbase-${revision},`))
  assert.match(text, /<svg class="qr" role="img" aria-label="The link as a QR code"/)
})

test('draws from which assets a figure was made, and which figures use an asset', async () => {
  const ofFigure = await textOf(`/r/${revision}/`)
  assert.match(ofFigure, /<text x="10" y="22">Samples &lt;script&gt;/)
  assert.match(ofFigure, /class="center"[^\n]*\n<title>Revision 1<\/title>/)
  const ofAsset = await textOf(`/asset_revision/${assetRevision}/`)
  assert.match(ofAsset, /<text x="10" y="22">Figure 1<\/text>/)
})

test('shows the stories that tell the revision, as far as the reader may view them', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const told = (await publish(alice.api, figure.api_id, [image(png(60, 40))])).api_id
  const slides = [{ slide_type: 'figure', revision_id: told, content: 'Warm' }]
  const name = `Warming ${hostile}`
  const { api_id: story } = await newStory(alice.api, workspace.api_id, { name, slides })
  const text = await textOf(`/r/${told}/`)
  assert.match(text, /<h2>Stories that show it<\/h2>/)
  assert.ok(text.includes(`<a href="/story/${story}/">`))
  const graph = /<svg class="graph".*<\/svg>/s.exec(text)?.[0] ?? ''
  assert.match(graph, /Warming &lt;script&gt;/)
  const bob = await signUp()
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`revision/${told}/share/user/`, share, 200)
  const seen = await textOf(`/r/${told}/`, bob)
  assert.ok(!seen.includes(story) && !seen.includes('Warming'))
})
