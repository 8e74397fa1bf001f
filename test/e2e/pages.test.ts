import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deployment } from '../src/deployment.js'
import { png, pngSize } from '../src/images.js'
import {
  base64,
  code,
  file,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newOrganization,
  newPlace,
  newRevision,
  type Place,
  processed,
  publish,
} from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { expectSafePage } from '../src/safe-page.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place
let revision: Revision
const hostile = `<script>alert("1")</script>'"><img src=x onerror=alert(2)>&amp;\u202egnp.exe`

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  revision = await publish(
    alice.api,
    place.figure.api_id,
    [image(png(60, 40)), code(Buffer.from('plot(1 < 2) # größer')), file(Buffer.alloc(1500))],
    { description: 'Warm is red.\nCold is blue.' },
  )
})

interface Shown {
  status: number
  text: string
  headers: Headers
}

/** Requests a page like a browser, or with credentials. */
async function open(path: string, headers: Record<string, string> = {}): Promise<Shown> {
  const answer = await fetch(new URL(path, deployment.origin), { headers, redirect: 'manual' })
  const text = await answer.text()
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
  expectSafePage(text, answer.headers)
  return { status: answer.status, text, headers: answer.headers }
}

const as = (person: TestUser) => ({ authorization: person.api.authorization ?? '' })

async function share(path: string, enabled: boolean) {
  await alice.api.post(`${path}share/link/`, { enabled }, 200)
}

test('the page of a revision shows all details, and links to all data', async () => {
  const path = `figure/${place.figure.api_id}/`
  await share(path, true)
  for (const address of [`/r/${revision.api_id}`, `/revision/${revision.api_id}/`]) {
    const { status, text, headers } = await open(address)
    assert.equal(status, 200)
    assert.match(text, /<h1><bdi>Figure 1<\/bdi><\/h1>/)
    assert.match(text, /Revision 1 of a figure/)
    assert.match(text, new RegExp(`<time datetime="${revision.created_on}">`))
    assert.ok(text.includes(`<bdi>${alice.username}</bdi>`))
    assert.ok(text.includes('Warm is red.\nCold is blue.'))
    assert.ok(
      text.replaceAll(/<\/?span[^>]*>/g, '').includes('<code>plot(1 &lt; 2) # größer</code>'),
    )
    for (const row of ['figure.png', 'cell.py', 'raw.bin', 'File, 1.5 kB'])
      assert.ok(text.includes(row))
    assert.ok(text.includes(`href="/figure/${place.figure.api_id}"`))
    assert.match(text, /<meta property="og:title" content="Figure 1, revision 1">/)
    assert.equal(headers.get('cache-control'), 'no-cache')
    const data = [...text.matchAll(/href="(\/api\/[^"]+)"/g)].map(([, at]) => at ?? '')
    assert.equal(data.length, 3)
    for (const address of [...data, ...picturesIn(text)]) {
      const answer = await fetch(new URL(address, deployment.origin))
      assert.equal(answer.status, 200, address)
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (address.includes('/picture/')) assert.deepEqual(pngSize(bytes), { width: 60, height: 40 })
    }
  }
  await share(path, false)
  assert.equal((await open(`/r/${revision.api_id}`)).status, 401)
})

test('the page of a separately shared revision does not show the name of its figure', async () => {
  const path = `revision/${revision.api_id}/`
  await share(path, true)
  const { status, text } = await open(`/r/${revision.api_id}`)
  await share(path, false)
  assert.equal(status, 200)
  assert.match(text, /<h1>Revision 1<\/h1>/)
  assert.match(text, /<meta property="og:title" content="Revision 1 of a figure">/)
  assert.ok(!text.includes(place.figure.name))
  assert.ok(!text.includes(`href="/figure/${place.figure.api_id}"`))
})

test('pictures are loaded with the credentials of the page, and kept until they change', async () => {
  const first = `/r/${revision.api_id}`
  const paths = [first, `/figure/${place.figure.api_id}`, `/analysis/${place.analysis.api_id}`]
  for (const path of paths) {
    const { status, text, headers } = await open(path, as(alice))
    assert.equal(status, 200, path)
    assert.match(headers.get('cache-control') ?? '', /private, no-store/)
    assert.match(headers.get('vary') ?? '', /authorization/i)
    assert.doesNotMatch(text, /="og:/)
    const pictures = picturesIn(text)
    assert.ok(pictures.length > 0, path)
    for (const address of pictures) {
      const { answer, bytes } = await picture(address, as(alice))
      assert.equal(pngSize(bytes).width, 60, address)
      assert.equal(answer.headers.get('content-type'), 'image/png')
      assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin')
      assert.equal(answer.headers.get('cache-control'), 'private, max-age=86400, immutable')
      assert.match(answer.headers.get('vary') ?? '', /Cookie/)
      const [plain = ''] = address.split('?')
      const unversioned = await picture(plain, as(alice))
      assert.equal(unversioned.answer.headers.get('cache-control'), 'private, no-cache')
      const known = { 'if-none-match': unversioned.answer.headers.get('etag') ?? '' }
      assert.equal((await picture(plain, { ...as(alice), ...known })).answer.status, 304)
      assert.equal((await picture(address)).answer.status, 401)
      assert.equal((await picture(`${plain}?size=255`, as(alice))).answer.status, 400)
    }
  }
  const key = { name: 'pages', workspace: place.workspace.api_id }
  const { body } = await alice.api.post<{ token: string }>('api_key/', key)
  assert.equal((await open(first, { authorization: `Token ${body.token}` })).status, 200)
})

const picturesIn = (text: string) =>
  [...text.matchAll(/<img src="([^"]+)"/g)].map(([, at = '']) => at.replaceAll('&amp;', '&'))

async function picture(address: string, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(address, deployment.origin), { headers })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** The page without the redirect address of its sign-in link. */
const ofAny = ({ text }: Shown) => text.replace(/\?next=[^"]*/, '')

test('error pages do not reveal what the user may not view', async () => {
  const mallory = await signUp()
  const ids = {
    revision,
    figure: place.figure,
    analysis: place.analysis,
    workspace: place.workspace,
  }
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const assetRevision = (
    await alice.api.post<Revision>('asset_revision/', { asset: asset.api_id, data: [] })
  ).body
  const organization = await newOrganization(alice.api)
  const all = Object.entries({
    ...ids,
    asset,
    asset_revision: assetRevision,
    organization,
    r: revision,
  })
  const unknown = await open(`/figure/${crypto.randomUUID()}`)
  assert.equal(unknown.status, 401)
  assert.match(unknown.text, /share it by link/)
  for (const [segment, { api_id }] of all) {
    const stranger = await open(`/${segment}/${api_id}`)
    assert.equal(stranger.status, 401, segment)
    assert.equal(
      ofAny(stranger),
      ofAny(unknown),
      'the page should be the same whether the object exists or not',
    )
    const nowhere = await open(`/${segment}/${crypto.randomUUID()}`)
    assert.deepEqual([nowhere.status, ofAny(nowhere)], [401, ofAny(unknown)])
    const denied = await open(`/${segment}/${api_id}`, as(mallory))
    assert.equal(denied.status, 403, segment)
    assert.match(denied.text, /Access denied/)
    const missing = await open(`/${segment}/${crypto.randomUUID()}`, as(mallory))
    assert.equal(missing.status, 404, segment)
    assert.equal((await open(`/${segment}/${api_id}`, as(alice))).status, 200, segment)
  }
})

test('a short id shows the same page as the api_id; an unknown one is not found', async () => {
  const { prefix } = (await alice.api.post<{ prefix: string }>('short_id_prefix/reserve/', {})).body
  const short_id = `${prefix}0`
  const { api_id } = await newRevision(alice.api, place.figure.api_id, [], { short_id })
  for (const address of ['r', 'revision']) {
    const { status, text } = await open(`/${address}/${short_id}`, as(alice))
    assert.equal(status, 200)
    assert.ok(text.includes(`<code>${short_id}</code>`))
    assert.equal(text, (await open(`/${address}/${api_id}`, as(alice))).text)
    const unknown = await open(`/${address}/${prefix}1`)
    const stranger = await open(`/${address}/${short_id}`)
    assert.deepEqual([stranger.status, ofAny(stranger)], [401, ofAny(unknown)])
    assert.equal(unknown.status, 401)
    assert.equal((await open(`/${address}/${prefix}1`, as(alice))).status, 404)
  }
  assert.equal((await open(`/figure/${short_id}`, as(alice))).status, 404)
})

test('sends 404 for malformed addresses, and reports invalid credentials', async () => {
  for (const id of [
    'x',
    'not-an-id',
    `${revision.api_id}x`,
    encodeURIComponent(hostile),
    'a'.repeat(5000),
  ]) {
    for (const headers of [{}, as(alice)]) {
      const { status, text } = await open(`/figure/${id}`, headers)
      assert.equal(status, 404, id)
      assert.match(text, /Page not found/)
    }
  }
  const { status, text } = await open(`/r/${revision.api_id}`, { authorization: 'Bearer nonsense' })
  assert.equal(status, 401)
  assert.match(text, /invalid or have expired/)
})

test('shows user-provided text unchanged and escaped', async () => {
  const { workspace } = place
  const analysis = await newAnalysis(alice.api, workspace.api_id, hostile)
  const figure = await newFigure(alice.api, analysis.api_id, hostile)
  for (const path of [`workspace/${workspace.api_id}/`, `figure/${figure.api_id}/`]) {
    await alice.api.patch(path, { description: hostile })
  }
  const metadata = { format: hostile, language: hostile, is_watermarked: false }
  const data = ['image', 'code', 'text', 'dataframe', 'file'].map((type) => ({
    name: hostile,
    type,
    metadata,
    data: base64(Buffer.from(`</code></pre>${hostile}\0`)),
  }))
  const more = { metadata: { hostile }, description: hostile }
  const { api_id } = await publish(alice.api, figure.api_id, data, more)
  const asset = await newAsset(alice.api, workspace.api_id, { name: hostile })
  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&quot;&gt;&lt;img src=x'
  for (const path of [
    `/r/${api_id}`,
    `/figure/${figure.api_id}`,
    `/analysis/${analysis.api_id}`,
    `/workspace/${workspace.api_id}`,
    `/asset/${asset.api_id}`,
  ]) {
    const { status, text } = await open(path, as(alice))
    assert.equal(status, 200)
    assert.ok(text.includes(escaped), path)
  }
  const { text } = await open(`/r/${api_id}`, as(alice))
  assert.ok(text.includes(`<code>&lt;/code&gt;&lt;/pre&gt;${escaped}`))
  assert.doesNotMatch(text, /\0/)
})

test('a figure lists its revisions, newest first, also those without a picture', async () => {
  const figure = await newFigure(alice.api, place.analysis.api_id, 'Empty')
  const path = `/figure/${figure.api_id}`
  assert.match((await open(path, as(alice))).text, /Nothing here yet/)
  const first = await publish(alice.api, figure.api_id, [code(Buffer.from('1'))])
  const second = await publish(alice.api, figure.api_id, [image(png(10, 10))])
  const { text } = await open(path, as(alice))
  const links = [...text.matchAll(/href="\/r\/([^"]+)"/g)].map(([, id]) => id)
  const [large, newest, ...listed] = links
  assert.deepEqual([large, newest], [`${second.api_id}/picture/`, second.api_id])
  assert.deepEqual(listed, [second.api_id, first.api_id])
  assert.equal(text.match(/no picture/g)?.length, 1)
  assert.match((await open(`/r/${first.api_id}`, as(alice))).text, /has no picture/)
})

test('marks a revision that is still being processed', async () => {
  const large = image(png(3000, 3000))
  const { api_id } = await newRevision(alice.api, place.figure.api_id, [large])
  const { status, text } = await open(`/r/${api_id}`, as(alice))
  assert.equal(status, 200)
  const { body } = await alice.api.get<{ is_processing: boolean }>(`revision/${api_id}/status/`)
  if (body.is_processing) assert.match(text, /still being processed/)
  await processed(alice.api, api_id)
  assert.doesNotMatch((await open(`/r/${api_id}`, as(alice))).text, /still being processed/)
})

test('shows the beginning of a long text, and a page of the data', async () => {
  const { analysis } = await newPlace(alice.api)
  const figure = await newFigure(alice.api, analysis.api_id, 'Long')
  const objects = Array.from({ length: 70 }, (_, i) => file(Buffer.from([i]), `part ${i}.bin`))
  const text = code(Buffer.from('ä'.repeat(200_000)))
  const { api_id } = await publish(alice.api, figure.api_id, [text, ...objects])
  const page = await open(`/r/${api_id}`, as(alice))
  assert.match(page.text, /rel="next" href="[^"]*data=/)
  assert.match(page.text, /Only the beginning is shown\. Download the file to see all 400 kB\./)
  assert.ok(page.text.length < 300_000, `${page.text.length} characters`)
  assert.doesNotMatch(page.text, /\ufffd/)
})

test('does not show binary data as text', async () => {
  const binary = code(Buffer.from('fffe00d8', 'hex'))
  const { api_id } = await publish(alice.api, place.figure.api_id, [binary])
  const { text } = await open(`/r/${api_id}`, as(alice))
  assert.doesNotMatch(text, /<h2>Code and text/)
  assert.match(text, /cell\.py/)
})

test('an asset links to its revisions, and these to their data', async () => {
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const data = [file(Buffer.alloc(2_000_000), 'samples.csv')]
  const body = { asset: asset.api_id, data }
  const { api_id } = (await alice.api.post<Revision>('asset_revision/', body)).body
  const above = await open(`/asset/${asset.api_id}`, as(alice))
  assert.ok(above.text.includes(`href="/asset_revision/${api_id}"`))
  assert.match(above.text, /Raw counts/)
  const { text } = await open(`/asset_revision/${api_id}`, as(alice))
  assert.match(text, /Revision 1 of an asset/)
  assert.match(text, /samples\.csv<\/bdi>.*\n?.*File, 2\.0 MB/)
  assert.ok(text.includes(`href="/asset/${asset.api_id}"`))
})

test('links figure and asset revisions in both directions, for users who may view them', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const name = `Stations ${hostile}`
  const asset = await newAsset(alice.api, workspace.api_id, { name })
  const body = { asset: asset.api_id, data: [file(Buffer.from('a'), 'stations.csv')] }
  const used = (await alice.api.post<Revision>('asset_revision/', body)).body
  const assets = [{ asset_revision: used.api_id, use_type: 'direct' }]
  const { api_id } = await publish(alice.api, figure.api_id, [], { assets })
  const shown = (text: string) => text.includes('Stations &lt;script')

  const own = await open(`/r/${api_id}`, as(alice))
  assert.ok(own.text.includes(`href="/asset_revision/${used.api_id}"`) && shown(own.text))
  for (const path of [`/asset/${asset.api_id}`, `/asset_revision/${used.api_id}`]) {
    const { text } = await open(path, as(alice))
    assert.match(text, /Figures that use it/)
    assert.ok(text.includes(`href="/r/${api_id}"><bdi>Figure 1</bdi>`), path)
    assert.match(text, /stations\.csv/)
  }

  await share(`revision/${api_id}/`, true)
  const stranger = await open(`/r/${api_id}`)
  assert.match(stranger.text, /1 more that you do not have access to/)
  assert.ok(!shown(stranger.text) && !stranger.text.includes(used.api_id))
  await share(`asset_revision/${used.api_id}/`, true)
  const partly = await open(`/r/${api_id}`)
  assert.ok(partly.text.includes(`href="/asset_revision/${used.api_id}"`) && !shown(partly.text))
  await share(`asset/${asset.api_id}/`, true)
  assert.ok(shown((await open(`/r/${api_id}`)).text))
})

test('lists a figure once that uses an asset in many revisions', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id)
  const body = { asset: asset.api_id, data: [] }
  const used = (await alice.api.post<Revision>('asset_revision/', body)).body
  const assets = [{ asset_revision: used.api_id, use_type: 'direct' }]
  for (let i = 0; i < 3; i++) await newRevision(alice.api, figure.api_id, [], { assets })
  const { text } = await open(`/asset_revision/${used.api_id}`, as(alice))
  assert.match(text, new RegExp(`href="/figure/${figure.api_id}"><bdi>Figure 1</bdi>.*3 revisions`))
})

test('a derived revision links to its source, for users who may view it', async () => {
  const { analysis, figure } = await newPlace(alice.api)
  const source = await publish(alice.api, figure.api_id, [code(Buffer.from('1'))])
  const target = await newFigure(alice.api, analysis.api_id, 'Figure 2')
  const body = { figure: target.api_id }
  const path = `revision/${source.api_id}/derive/`
  const { api_id } = (await alice.api.post<Revision>(path, body, 201)).body
  await processed(alice.api, api_id)
  const link = `Derived from a <a href="/r/${source.api_id}">revision of <bdi>Figure 1</bdi></a>`
  assert.ok((await open(`/r/${api_id}`, as(alice))).text.includes(link))
  await share(`revision/${api_id}/`, true)
  const { status, text } = await open(`/r/${api_id}`)
  assert.equal(status, 200)
  assert.ok(!text.includes('Derived') && !text.includes(source.api_id))
})

test('workspace and organization list their content', async () => {
  const organization = await newOrganization(alice.api)
  const { workspace, analysis } = await newPlace(alice.api)
  const move = { organization: organization.api_id }
  await alice.api.patch(`workspace/${workspace.api_id}/`, move)
  const top = await open(`/organization/${organization.api_id}`, as(alice))
  assert.ok(top.text.includes(`href="/workspace/${workspace.api_id}/"`))
  const below = await open(`/workspace/${workspace.api_id}`, as(alice))
  assert.ok(below.text.includes(`href="/analysis/${analysis.api_id}/"`))
})

test('sends 404 for deleted objects', async () => {
  const { figure } = await newPlace(alice.api)
  const { api_id } = await publish(alice.api, figure.api_id, [image(png(10, 10))])
  await alice.api.post(`revision/${api_id}/share/link/`, { enabled: true }, 200)
  assert.equal((await open(`/r/${api_id}`)).status, 200)
  await alice.api.delete(`revision/${api_id}/`)
  assert.equal((await open(`/r/${api_id}`)).status, 401)
  assert.equal((await open(`/r/${api_id}`, as(alice))).status, 404)
})

test('HEAD sends the headers of GET; other methods are not found', async () => {
  const url = new URL(`/r/${revision.api_id}`, deployment.origin)
  const headers = as(alice)
  const head = await fetch(url, { method: 'HEAD', headers })
  assert.equal(head.status, 200)
  assert.match(head.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal((await head.arrayBuffer()).byteLength, 0)
  assert.equal((await fetch(url, { method: 'POST', headers, body: 'x' })).status, 404)
})
