import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { deployment } from '../src/deployment.js'
import { png, pngSize } from '../src/images.js'
import {
  at,
  base64,
  code,
  file,
  image,
  newAsset,
  newFigure,
  newPlace,
  type Place,
  publish,
  publishAsset,
  table,
} from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { expectSafePage } from '../src/safe-page.js'
import { signUp, type TestUser } from '../src/users.js'

const hostile = `<script>alert("1")</script>'"><img src=x onerror=alert(2)>&amp;`
const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;'

let alice: TestUser
let place: Place
let revisions: Revision[]
let assetRevisions: string[]
let asset: string

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  asset = (await newAsset(alice.api, place.workspace.api_id, { name: `Samples ${hostile}` })).api_id
  const counts = (n: number) => [table(`depth,count\n1,${n}\n2,7\n`)]
  assetRevisions = [
    (await publishAsset(alice.api, asset, counts(1))).api_id,
    (await publishAsset(alice.api, asset, counts(2))).api_id,
  ]
  const [first, second] = assetRevisions
  const text = (json: object) => ({
    name: 'spec',
    type: 'text' as const,
    metadata: { format: 'json' },
    data: base64(Buffer.from(JSON.stringify(json))),
  })
  revisions = [
    await publish(
      alice.api,
      place.figure.api_id,
      [
        image(png(60, 40)),
        code(Buffer.from('a = 1\nplot(a, "red")\n')),
        table('site,depth,old\nA,1,x\nB,2,y\n'),
        text({ mark: 'bar', size: 1 }),
        file(Buffer.alloc(10)),
      ],
      {
        metadata: { cell: 1, note: hostile },
        assets: [{ asset_revision: first, use_type: 'direct' }],
      },
    ),
    await publish(
      alice.api,
      place.figure.api_id,
      [
        image(png(80, 40)),
        code(Buffer.from(`a = 1\nplot(a, "blue")\n# ${hostile}\n`)),
        table(
          `site,depth,${hostile.replaceAll('"', '')}\nA,1,x\nB,"${hostile.replaceAll('"', '""')}",y\nC,3,z\n`,
        ),
        text({ mark: 'point', size: 1 }),
        file(Buffer.alloc(10)),
      ],
      {
        metadata: { cell: 2, note: hostile },
        assets: [{ asset_revision: second, use_type: 'direct' }],
      },
    ),
  ]
})

async function open(path: string, user?: TestUser) {
  const headers = { authorization: user?.api.authorization ?? '' }
  return fetch(new URL(path, deployment.origin), user && { headers })
}

/** The text of a page; checks that nothing of it runs. */
async function textOf(path: string) {
  const answer = await open(path, alice)
  assert.equal(answer.status, 200, path)
  const text = await answer.text()
  expectSafePage(text, answer.headers)
  return text
}

const comparison = (from = at(revisions, 0).api_id, to = at(revisions, 1).api_id) =>
  `/figure/${place.figure.api_id}/compare/?from=${from}&to=${to}`

test('the page of a figure shows its newest revision, and compares each with the one before', async () => {
  const text = await textOf(`/figure/${place.figure.api_id}/`)
  const [old, recent] = revisions.map(({ api_id }) => api_id)
  assert.ok(text.includes(`<a class="picture" href="/r/${recent}/picture/"`))
  assert.match(text, new RegExp(`<a href="/r/${recent}">Revision 2, the newest one</a>`))
  assert.ok(
    text.includes(`href="${comparison().replaceAll('&', '&amp;')}">Compare with revision 1`),
  )
  assert.equal(text.split(`from=`).length, 2)
  assert.ok(text.indexOf(`href="/r/${recent}">`) < text.lastIndexOf(`href="/r/${old}">`))
})

test('the picture of a revision opens in its full size, for those who may view it', async () => {
  const path = `/r/${at(revisions, 1).api_id}/picture/`
  const answer = await open(path, alice)
  assert.equal(answer.headers.get('content-type'), 'image/png')
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin')
  assert.deepEqual(pngSize(Buffer.from(await answer.arrayBuffer())), { width: 80, height: 40 })
  assert.equal((await open(path)).status, 401)
  assert.equal((await open(path, await signUp())).status, 403)
  assert.equal((await open(`/r/${crypto.randomUUID()}/picture/`, alice)).status, 404)
  assert.equal((await open('/r/x/picture/', alice)).status, 404)
  const without = `/asset_revision/${assetRevisions[0]}/picture/`
  assert.equal((await open(without, alice)).status, 404)
  const placeholder = await open(`${without}?size=256`, alice)
  assert.deepEqual(
    [placeholder.status, placeholder.headers.get('content-type')],
    [200, 'image/svg+xml'],
  )
  assert.equal((await open(`${without}?size=256`, await signUp())).status, 403)
})

test('compares pictures, code, tables, metadata and assets of two revisions', async () => {
  const text = await textOf(comparison())
  for (const { api_id } of revisions) {
    assert.ok(text.includes(`<img src="/r/${api_id}/picture/" alt="Revision `))
  }
  assert.match(text, /<input type="radio" name="view" value="difference">/)
  assert.match(text, /<del>- plot\(a, &quot;<mark>red<\/mark>&quot;\)<\/del>/)
  assert.match(text, /<ins>\+ plot\(a, &quot;<mark>blue<\/mark>&quot;\)<\/ins>/)
  assert.match(text, /<del>- {3}&quot;mark&quot;: &quot;<mark>bar<\/mark>&quot;,<\/del>/)
  assert.match(text, /2 → 3 rows: 1 added, 0 removed; 1 changed cell/)
  assert.match(text, /<td>2<\/td><td>depth<\/td><td><del>2<\/del><\/td>/)
  assert.match(text, /<del>- old<\/del>/)
  assert.match(text, /<del>- {5}&quot;cell&quot;: <mark>1<\/mark>,<\/del>/)
  assert.match(text, /<bdi>raw.bin<\/bdi><\/span>\n<span class="quiet">unchanged, 10 bytes/)
  const [first, second] = assetRevisions
  assert.match(text, new RegExp(`asset_revision/${first}">[^\n]*\n<span class="quiet">removed,`))
  assert.match(text, new RegExp(`asset_revision/${second}">[^\n]*\n<span class="quiet">added,`))
  // The code, the cell, the name of the column and that of the asset.
  assert.ok(text.split(escaped).length > 3)
})

test('equal revisions have no differences', async () => {
  const { api_id } = at(revisions, 0)
  const text = await textOf(comparison(api_id, api_id))
  assert.match(text, /Both revisions have the same picture\./)
  assert.doesNotMatch(text, /<ins>|<del>|">changed,/)
})

test('offers two revisions to choose from', async () => {
  const text = await textOf(`/figure/${place.figure.api_id}/compare/`)
  assert.equal(text.match(/<option /g)?.length, 4)
  assert.doesNotMatch(text, /<h2>/)
})

test('compares asset revisions', async () => {
  const [from, to] = assetRevisions
  assert.ok((await textOf(`/asset/${asset}/`)).includes(`/compare/?from=${from}&amp;to=${to}`))
  const text = await textOf(`/asset/${asset}/compare/?from=${from}&to=${to}`)
  assert.match(text, /2 → 2 rows: 0 added, 0 removed; 1 changed cell/)
})

test('too large code is not compared', async () => {
  const { api_id } = await newFigure(alice.api, place.analysis.api_id)
  const large = (seed: string) => [code(Buffer.from(`${seed}\n`.repeat(30_000)))]
  const from = await publish(alice.api, api_id, large('a'))
  const to = await publish(alice.api, api_id, large('b'))
  const path = `/figure/${api_id}/compare/?from=${from.api_id}&to=${to.api_id}`
  assert.match(await textOf(path), /It is too large to compare here/)
})

test('rejects revisions of other figures, and invalid ids', async () => {
  const { api_id } = await newFigure(alice.api, place.analysis.api_id)
  const foreign = await publish(alice.api, api_id, [])
  assert.equal((await open(comparison(foreign.api_id), alice)).status, 404)
  assert.equal((await open(comparison(crypto.randomUUID()), alice)).status, 404)
  assert.equal((await open(comparison('x'), alice)).status, 400)
  assert.equal((await open(comparison())).status, 401)
  assert.equal((await open(comparison(), await signUp())).status, 403)
})

test('pictures can be laid on each other, with a border that moves', {
  skip: withoutBrowser,
}, async () => {
  await using browser = await openBrowser()
  await browser.use(async (person) => {
    await person.go(new URL(comparison(), deployment.origin))
    const choose = (view: string) =>
      person.read(`document.querySelector('[value=${view}]').click()`)
    const lefts = () =>
      person.read(
        `[...document.querySelectorAll('.stack a')].map((a) => Math.round(a.getBoundingClientRect().left))`,
      ) as Promise<number[]>
    const styleOf = (name: string) =>
      person.read(`getComputedStyle(document.querySelector('.stack a + a')).${name}`)
    const isSliderShown = () => person.read(`document.querySelector('.slider').checkVisibility()`)
    assert.equal(new Set(await lefts()).size, 2)
    assert.equal(await isSliderShown(), false)
    await choose('overlay')
    assert.equal(new Set(await lefts()).size, 1)
    assert.equal(await isSliderShown(), true)
    assert.equal(await styleOf('clipPath'), 'inset(0px 0px 0px 50%)')
    await person.read(`(() => {
      const range = document.querySelector('.slider input')
      range.value = 20
      range.dispatchEvent(new Event('input'))
    })()`)
    assert.equal(await styleOf('clipPath'), 'inset(0px 0px 0px 20%)')
    await choose('difference')
    assert.equal(await styleOf('mixBlendMode'), 'difference')
    assert.equal(await isSliderShown(), false)
    assert.deepEqual(person.problems, [])
  }, alice.api.authorization)
})
