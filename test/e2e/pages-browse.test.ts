import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Browser, type BrowserPage, createBrowser } from '@figbase/kit/testing'
import { newComment } from '../src/comments.js'
import { png } from '../src/images.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import {
  file,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newOrganization,
  newPlace,
  type Place,
  publish,
} from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

const hostile = '<img src=x onerror=alert(1)>'
const escaped = '&lt;img src=x onerror=alert(1)&gt;'

let alice: TestUser
let browser: Browser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  browser = (await signInAt('/account/', alice)).browser
})

const visit = (path: string) => browser.visit(at(path))
const linksIn = ({ text }: BrowserPage) =>
  [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)

test('/ is JSON for programs, and a page for browsers', async () => {
  const program = await fetch(at('/'))
  assert.match(program.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(program.headers.get('vary') ?? '', /accept\b/i)
  const headers = { accept: 'text/html,*/*;q=0.8' }
  const page = await fetch(at('/'), { headers })
  assert.match(await page.text(), /<h1>Figures, with everything they were made from<\/h1>/)
})

test('home shows recent figures with their pictures, and the workspaces', async () => {
  const figure = await newFigure(alice.api, place.analysis.api_id, hostile)
  await publish(alice.api, figure.api_id, [image(png(60, 40))])
  const { text } = await browser.send(at('/'), { headers: { accept: 'text/html' } })
  const [, card = ''] =
    new RegExp(`<a href="/figure/${figure.api_id}/">(.*?)</a>`, 's').exec(text) ?? []
  const [, picture = ''] = /<img src="([^"]+)"/.exec(card) ?? []
  const { status, headers } = await browser.send(at(picture.replaceAll('&amp;', '&')))
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])
  assert.ok(card.includes(`<bdi>${escaped}</bdi>`))
  assert.ok(text.includes(`href="/workspace/${place.workspace.api_id}/"`))
  assert.doesNotMatch(text, /<img src=x/)
})

test('a page shows the way up, as far as the reader may view it', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const shown = await visit(`/figure/${figure.api_id}/`)
  const above = [`/workspace/${workspace.api_id}/`, `/analysis/${analysis.api_id}/`]
  const [, path = ''] = /<nav class="path".*?>(.*?)<\/nav>/s.exec(shown.text) ?? []
  assert.deepEqual(linksIn({ ...shown, text: path }), above)
  await alice.api.post(`analysis/${analysis.api_id}/share/link/`, { enabled: true }, 200)
  const { text } = await createBrowser().visit(at(`/figure/${figure.api_id}/`))
  assert.ok(text.includes(above[1] ?? '') && !text.includes(above[0] ?? ''))
  assert.doesNotMatch(text, /\/(edit|move|delete)\//, 'no action for a visitor')
})

test('long lists have pages, each object once', async () => {
  const { analysis } = await newPlace(alice.api)
  const names = Array.from({ length: 130 }, (_, n) => `Plot ${n}`)
  for (const name of names) await newFigure(alice.api, analysis.api_id, name)
  const found: string[] = []
  let path: string | undefined = `/analysis/${analysis.api_id}/`
  let pages = 0
  while (path) {
    const { text } = await visit(path)
    found.push(...[...text.matchAll(/<bdi>(Plot \d+)<\/bdi>/g)].map(([, name]) => name ?? ''))
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    pages++
  }
  assert.deepEqual(found, names)
  assert.equal(pages, 3)
  assert.equal((await visit(`/analysis/${analysis.api_id}/?list=x`)).status, 404)
  assert.equal((await visit(`/analysis/${analysis.api_id}/?list=figure&cursor=x`)).status, 400)
})

test('all revisions of a figure and of an asset can be reached', async () => {
  const { figure, workspace } = await newPlace(alice.api)
  const asset = await newAsset(alice.api, workspace.api_id)
  for (let n = 0; n < 65; n++) {
    await alice.api.post('revision/', { figure: figure.api_id })
    await alice.api.post('asset_revision/', { asset: asset.api_id, data: [] })
  }
  const expected = Array.from({ length: 65 }, (_, n) => `Revision ${65 - n}`)
  for (const address of [`/figure/${figure.api_id}/`, `/asset/${asset.api_id}/`]) {
    const found: string[] = []
    let next: string | undefined = address
    let before = ''
    while (next) {
      const { text } = await visit(next)
      before ||= /href="([^"]+\/compare\/\?cursor=[^"]+)"/.exec(text)?.[1] ?? ''
      const [, list = ''] = /newest first<\/h2>(.*?)<\/ul>/s.exec(text) ?? []
      found.push(...(list.match(/(?<=>)Revision \d+(?=<)/g) ?? []))
      next = /rel="next" href="([^"]+)"/.exec(text)?.[1]
    }
    assert.deepEqual(found, expected, address)
    const compared = (await visit(before.replaceAll('&amp;', '&'))).text
    const heads = [...compared.matchAll(/<p><a href="[^"]+">(Revision \d+)<\/a>/g)]
    assert.deepEqual(
      heads.map(([, head]) => head),
      ['Revision 5', 'Revision 6'],
    )
    assert.equal(compared.match(/<option /g)?.length, 2 * 61, 'the newest, and both')
    assert.equal((await visit(`${address}?cursor=x`)).status, 400)
  }
})

test('objects are created in each place', async () => {
  const { text } = await visit(`/workspace/${place.workspace.api_id}/`)
  assert.ok(text.includes(`/workspace/${place.workspace.api_id}/new/analysis/`))
  const organization = await newOrganization(alice.api)
  const created: string[] = []
  for (const path of [
    '/new/organization/',
    '/new/workspace/',
    `/organization/${organization.api_id}/new/workspace/`,
    `/workspace/${place.workspace.api_id}/new/analysis/`,
    `/workspace/${place.workspace.api_id}/new/asset/`,
    `/analysis/${place.analysis.api_id}/new/figure/`,
    `/analysis/${place.analysis.api_id}/new/asset/`,
  ]) {
    const form = await visit(path)
    const filled = { name: hostile, description: 'With *Markdown*\r\nand two lines' }
    const shown = await browser.submit(form, filled)
    assert.equal(shown.status, 200, path)
    assert.ok(shown.text.includes(`<h1><bdi>${escaped}</bdi></h1>`), path)
    assert.match(shown.text, /<em>Markdown<\/em>/)
    created.push(shown.url.pathname)
  }
  const { text: shown } = await visit(`/analysis/${place.analysis.api_id}/`)
  assert.ok(shown.includes(`"${created.at(-1)}"`), 'the asset belongs to the analysis')
})

test('a form keeps what was typed if it is wrong', async () => {
  const form = await visit('/new/workspace/')
  const shown = await browser.submit(form, { name: 'x'.repeat(1001), description: hostile })
  assert.equal(shown.status, 400)
  assert.match(shown.text, /role="alert">Please check the name/)
  assert.ok(shown.text.includes(escaped))
})

test('an edit fails if another came first, and keeps what was typed', async () => {
  const { figure } = await newPlace(alice.api)
  const path = `/figure/${figure.api_id}/edit/`
  const [first, second] = [await visit(path), await visit(path)]
  const saved = await browser.submit(first, { name: 'First', description: 'one\r\ntwo' })
  assert.match(saved.text, /<h1><bdi>First<\/bdi><\/h1>/)
  const { body } = await alice.api.get<{ description: string }>(`figure/${figure.api_id}/`)
  assert.equal(body.description, 'one\ntwo')
  const late = await browser.submit(second, { name: 'Second', description: '' })
  assert.equal(late.status, 412)
  assert.match(late.text, /value="Second"/)
})

test('a figure moves to another analysis', async () => {
  const { analysis, figure, workspace } = await newPlace(alice.api)
  const other = await newAnalysis(alice.api, workspace.api_id, 'Elsewhere')
  const form = await visit(`/figure/${figure.api_id}/move/`)
  assert.ok(form.text.includes(`<option value="${other.api_id}">Elsewhere</option>`))
  assert.ok(!form.text.includes(`value="${analysis.api_id}"`), 'not to where it is')
  const moved = await browser.submit(form, { target: other.api_id })
  assert.match(moved.text, />Elsewhere</)
  assert.equal((await browser.submit(form, { target: 'x' })).status, 400)
})

test('a deletion is confirmed, and can be undone', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const path = `/figure/${figure.api_id}/`
  const question = await visit(`${path}delete/`)
  assert.match(question.text, /<h1>Delete <bdi>/)
  assert.equal((await visit(path)).status, 200, 'the question deletes nothing')
  const deleted = await browser.submit(question)
  assert.equal(deleted.url.pathname, `/workspace/${workspace.api_id}/deleted/`)
  assert.equal((await visit(path)).status, 404)
  const restored = await browser.submit(deleted, { id: figure.api_id })
  assert.equal(restored.url.pathname, path)
  assert.equal(restored.status, 200)

  const gone = await browser.submit(await visit(`/workspace/${workspace.api_id}/delete/`))
  assert.equal(gone.url.pathname, '/workspace/deleted/')
  await browser.submit(gone, { id: workspace.api_id, kind: 'workspace' })
  assert.equal((await visit(path)).status, 200)
})

test('forms are protected, and permissions are those of the services', async () => {
  const path = `/figure/${place.figure.api_id}/edit/`
  await expectProtected({ browser, page: await visit(path) }, path, {
    name: 'Forged',
    version: '1',
  })
  const mallory = await signInAt('/account/', await signUp())
  const form_token = formTokenIn(mallory.page)
  for (const [address, values] of [
    [path, { name: 'Forged', version: '1' }],
    [`/figure/${place.figure.api_id}/move/`, { target: place.analysis.api_id }],
    [`/figure/${place.figure.api_id}/delete/`, {}],
    [`/analysis/${place.analysis.api_id}/new/figure/`, { name: 'Forged' }],
    [`/workspace/${place.workspace.api_id}/deleted/`, { kind: 'figure', id: place.figure.api_id }],
  ] as [string, Record<string, string>][]) {
    const body = new URLSearchParams({ form_token, ...values })
    const answer = await mallory.browser.send(at(address), {
      method: 'POST',
      body,
      headers: ownOrigin,
    })
    assert.equal(answer.status, 403, address)
  }
  const { body } = await alice.api.get<{ name: string }>(`figure/${place.figure.api_id}/`)
  assert.notEqual(body.name, 'Forged')
})

test('the activity of a workspace says who did what, page by page', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  await alice.api.patch(`figure/${figure.api_id}/`, { name: hostile })
  await newComment(alice.api, 'figure', figure.api_id, 'A comment')
  const gone = await newAnalysis(alice.api, workspace.api_id, 'Gone')
  await alice.api.delete(`analysis/${gone.api_id}/`)
  const path = `/workspace/${workspace.api_id}/activity/`
  assert.ok((await visit(`/workspace/${workspace.api_id}/`)).text.includes(`href="${path}"`))
  const expected = [/deleted/, /commented on/, /changed/, /created/]
  let text = ''
  for (let tries = 0; tries < 100 && !/commented on/.test(text); tries++) {
    // Comments are recorded by an event.
    text = (await visit(path)).text
  }
  for (const words of expected) assert.match(text, words)
  assert.ok(text.includes(`<a href="/figure/${figure.api_id}/"><bdi>${escaped}</bdi></a>`))
  assert.ok(!text.includes(`href="/analysis/${gone.api_id}/"`), 'no link to what is deleted')
  assert.doesNotMatch(text, /<img src=x/)
})

test('lists are shown as a grid or as lines, ordered and filtered, page by page', async () => {
  const { analysis } = await newPlace(alice.api)
  const names = Array.from(
    { length: 62 },
    (_, n) => `Mean ${String((n * 7) % 62).padStart(2, '0')}`,
  )
  for (const name of names) await newFigure(alice.api, analysis.api_id, name)
  const first = await newFigure(alice.api, analysis.api_id, 'Other')
  await publish(alice.api, first.api_id, [image(png(30, 20))])
  const path = `/analysis/${analysis.api_id}/`
  const listed = async (address: string) => {
    const found: string[] = []
    let next: string | undefined = address
    while (next) {
      const { text, status } = await visit(next)
      assert.equal(status, 200, next)
      const items = text.matchAll(/<li><a href="\/figure\/[^>]*>(?:<span.*?)?<bdi>([^<]*)<\/bdi>/gs)
      found.push(...[...items].map(([, name = '']) => name))
      next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    return found.filter((name) => name !== 'Figure 1')
  }
  const of = (query: string) => listed(`${path}?list=figure&${query}`)
  const byName = [...names].sort()
  assert.deepEqual(await of('sort=name&view=list'), [...byName, 'Other'])
  assert.deepEqual(await of('sort=name&words=mean'), byName)
  assert.deepEqual(await of('sort=newest'), ['Other', ...[...names].reverse()])
  assert.equal((await of('sort=changed'))[0], 'Other')
  assert.deepEqual(await of(`words=mean+07&by=${alice.username}`), ['Mean 07'])
  assert.deepEqual(await of('by=nobody-else'), [])
  const day = new Date().toISOString().slice(0, 10)
  assert.equal((await of(`from=${day}&until=${day}&words=&by=&sort=`)).length, 63)
  assert.deepEqual(await of('until=2020-01-01'), [])

  const grid = await visit(path)
  assert.match(grid.text, /<ul class="cards">/)
  assert.match(grid.text, new RegExp(`href="${path}\\?view=list"`))
  const lines = await visit(`${path}?view=list`)
  assert.doesNotMatch(lines.text, /<ul class="cards">/)
  const order = /href="([^"]+)">Sort and filter</.exec(lines.text)?.[1]?.replaceAll('&amp;', '&')
  assert.equal(order, `${path}?view=list&list=figure`)
  const form = await visit(order ?? '')
  const csp = form.headers.get('content-security-policy') ?? ''
  assert.match(csp, /form-action 'self'/)
  assert.match((await visit(`${path}?list=figure&words=zzz`)).text, /Nothing matches/)
  for (const [query, field] of [
    ['from=x', 'from'],
    ['until=2020-13-01', 'until'],
    ['sort=size', 'sort'],
    ['view=x', 'view'],
    [`words=${'a+'.repeat(11)}`, 'words'],
  ] as const) {
    const { status, text } = await visit(`${path}?list=figure&${query}`)
    assert.equal(status, 400, query)
    assert.match(text, new RegExp(`\\b${field}\\b`), query)
  }
})

test('workspaces, organizations and the assets of an analysis are ordered and filtered', async () => {
  const { analysis, workspace } = await newPlace(alice.api)
  const names = ['Order b', 'Order ä', 'Order c']
  for (const name of names) {
    await alice.api.post('workspace/', { name })
    await alice.api.post('organization/', { name })
    await newAsset(alice.api, workspace.api_id, { name, analysis: analysis.api_id })
  }
  const byName = ['Order ä', 'Order b', 'Order c']
  for (const [path, list] of [
    ['/workspace/', 'workspace'],
    ['/organization/', 'organization'],
    [`/analysis/${analysis.api_id}/`, 'asset'],
  ]) {
    const listed = async (query: string) => {
      const { text, status } = await visit(`${path}?list=${list}&words=order&${query}`)
      assert.equal(status, 200, path)
      assert.match(text, /<form class="filter"/, path)
      return [...text.matchAll(/<bdi>(Order .)<\/bdi>/g)].map(([, name]) => name)
    }
    assert.deepEqual(await listed(''), names, path)
    assert.deepEqual(await listed('sort=name'), byName, path)
    assert.deepEqual(await listed('sort=newest'), [...names].reverse(), path)
    assert.deepEqual(await listed('sort=changed'), [...names].reverse(), path)
    assert.deepEqual(await listed('until=2020-01-01'), [], path)
    assert.deepEqual(await listed('by=nobody-else'), [], path)
    const { text } = await visit(path ?? '')
    assert.ok(text.includes(`href="${path}?list=${list}">Sort and filter`), path)
    assert.equal((await visit(`${path}?list=x`)).status, 404, path)
    assert.equal((await visit(`${path}?list=${list}&cursor=x`)).status, 400, path)
  }
  const home = await browser.send(at('/'), { headers: { accept: 'text/html' } })
  assert.ok(home.text.includes('href="/workspace/?list=workspace"'))
})

test('the activity of all workspaces is on the start page, and page by page', async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const accept = { headers: { accept: 'text/html' } }
  const { text } = await browser.send(at('/'), accept)
  assert.match(text, new RegExp(`created <a href="/figure/${figure.api_id}/"`))
  assert.ok(text.includes('href="/activity/">All activity'))
  const shown = await visit('/activity/')
  assert.ok(shown.text.includes(`<a href="/workspace/${workspace.api_id}/"><bdi>${workspace.name}`))
  const older = /rel="next" href="([^"]+)"/.exec(shown.text)?.[1] ?? ''
  assert.equal((await visit(older)).status, 200)
  assert.equal((await visit('/activity/?cursor=x')).status, 400)
  const bob = await signInAt('/activity/', await signUp())
  assert.ok(!bob.page.text.includes(figure.api_id))
  const anonymous = await createBrowser().send(at('/activity/'))
  assert.equal(anonymous.status, 303)
})

test('all data of a revision can be reached', async () => {
  const { figure } = await newPlace(alice.api)
  const files = Array.from({ length: 130 }, (_, n) => file(Buffer.from([n]), `part-${n}.bin`))
  const revision = await publish(alice.api, figure.api_id, files)
  const found: string[] = []
  let next: string | undefined = `/r/${revision.api_id}/`
  while (next) {
    const { text } = await visit(next)
    found.push(...[...text.matchAll(/<bdi>(part-\d+\.bin)<\/bdi>/g)].map(([, name = '']) => name))
    next = /rel="next" href="([^"]*data=[^"]+)"/.exec(text)?.[1]
  }
  assert.deepEqual(
    found,
    files.map(({ name }) => name),
  )
  assert.equal((await visit(`/r/${revision.api_id}/?data=x`)).status, 400)
})
