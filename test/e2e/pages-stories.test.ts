import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { type Browser, type BrowserPage, createBrowser } from '@figbase/kit/testing'
import { scriptModel, withoutAi } from '../src/ai.js'
import { png } from '../src/images.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import { image, newFigure, newPlace, type Place, publish } from '../src/publish.js'
import type { Story } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

const hostile = '<img src=x onerror=alert(1)>'

let alice: TestUser
let browser: Browser
let place: Place
let counts: string
let depths: string

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  browser = (await signInAt('/account/', alice)).browser
  const [one, two] = [place.figure, await newFigure(alice.api, place.analysis.api_id, hostile)]
  counts = (await publish(alice.api, one.api_id, [image(png(60, 40))])).api_id
  depths = (await publish(alice.api, two.api_id, [image(png(60, 50))])).api_id
})

const visit = (path: string) => browser.visit(at(path))
const read = async (id: string) => (await alice.api.get<Story>(`story/${id}/`)).body
const told = ({ slides }: Story) => slides.map((slide) => slide.revision_id ?? slide.content)
const idIn = ({ url }: BrowserPage) => url.pathname.split('/')[2] ?? ''

/** A story of both figures. */
async function newStory(name = 'Bloom') {
  const form = await visit(`/analysis/${place.analysis.api_id}/new/story/`)
  assert.ok(form.text.includes('&lt;img src=x'))
  const boxes = Object.fromEntries([counts, depths].map((id) => [`figure.${id}`, 'on']))
  return idIn(await browser.submit(form, { name, description: 'In *spring*', ...boxes }))
}

/** Submits the form with the slides of a story, or another one of a page. */
const press = async (page: BrowserPage, path: string, values: Record<string, string>) => {
  const form_token = formTokenIn(page)
  const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? ''
  const body = new URLSearchParams({ form_token, version, ...values })
  return browser.send(at(path), { method: 'POST', body, headers: ownOrigin })
}

test('a story is created from the figures of an analysis, or empty in a workspace', async () => {
  const story = await read(await newStory())
  assert.deepEqual(told(story), ['', counts, depths])
  assert.equal(story.workspace, place.workspace.api_id)
  const path = `/workspace/${place.workspace.api_id}/`
  assert.ok((await visit(path)).text.includes(`href="${path}new/story/"`))
  const form = await visit(`${path}new/story/`)
  assert.ok(form.text.includes(`name="figure.${counts}"`))
  const empty = await browser.submit(form, { name: hostile, description: '' })
  assert.deepEqual(told(await read(idIn(empty))), [''])
  assert.doesNotMatch(empty.text, /<img src=x/)
  const refused = await browser.submit(form, { name: '' })
  assert.equal(refused.status, 400)
})

test('slides are inserted, edited, moved and removed', async () => {
  const id = await newStory()
  const path = `/story/${id}/edit/`
  assert.ok((await visit(`/story/${id}/`)).text.includes(`href="${path}"`))
  const [title] = (await read(id)).slides
  const form = await visit(`/story/${id}/slide/?kind=text&after=${title?.slide_id}`)
  const preview = await browser.submit(form, { content: 'Two *words*', action: 'preview' })
  assert.match(preview.text, /<em>words<\/em>/)
  const added = await browser.submit(preview, { content: `Why\r\n${hostile}`, action: 'save' })
  assert.equal(added.url.pathname, path)
  assert.deepEqual(told(await read(id)), ['', `Why\n${hostile}`, counts, depths])
  assert.doesNotMatch(added.text, /<img src=x/)

  const [, why, figure] = (await read(id)).slides
  await press(added, `/story/${id}/slides/`, { down: why?.slide_id ?? '' })
  assert.deepEqual(told(await read(id)), ['', counts, `Why\n${hostile}`, depths])
  await press(await visit(path), `/story/${id}/slides/`, { up: why?.slide_id ?? '' })
  await press(await visit(path), `/story/${id}/slides/`, { remove: figure?.slide_id ?? '' })
  const removed = await read(id)
  assert.deepEqual(told(removed), ['', `Why\n${hostile}`, depths])
  assert.deepEqual(
    removed.revisions.map(({ api_id }) => api_id),
    [depths],
    'a figure that no slide shows is not told any more',
  )
})

test('a figure is chosen from a list, or by its address', async () => {
  const id = await newStory()
  const form = await visit(`/story/${id}/slide/?kind=figure`)
  assert.ok(form.text.includes(`<option value="${counts}"`))
  const { figure } = await newPlace(alice.api)
  const older = await publish(alice.api, figure.api_id, [image(png(30, 20))])
  const address = `${at(`/r/${older.api_id}`)}/?x=1#top`
  await browser.submit(form, { address, content: 'Older', action: 'save' })
  assert.equal((await read(id)).slides[0]?.revision_id, older.api_id)
  const [slide] = (await read(id)).slides
  const edited = await visit(`/story/${id}/slide/?slide=${slide?.slide_id}`)
  await browser.submit(edited, { revision: depths, content: 'Other', action: 'save' })
  assert.equal((await read(id)).slides[0]?.revision_id, depths)
  for (const wrong of ['nonsense!', randomUUID()]) {
    const again = await visit(`/story/${id}/slide/?kind=figure`)
    const refused = await browser.submit(again, { address: wrong, action: 'save' })
    assert.equal(refused.status, 400, wrong)
    assert.match(refused.text, /role="alert"/)
  }
  assert.equal((await visit(`/story/${id}/slide/?slide=x`)).status, 404)
})

test('nobody overwrites what another has changed', async () => {
  const id = await newStory()
  const [, slide] = (await read(id)).slides
  const path = `/story/${id}/slide/?slide=${slide?.slide_id}`
  const [first, second, outline] = [
    await visit(path),
    await visit(path),
    await visit(`/story/${id}/edit/`),
  ]
  const shown = { revision: counts }
  await browser.submit(first, { ...shown, content: 'Of the first', action: 'save' })
  const late = await browser.submit(second, { ...shown, content: 'Of the second', action: 'save' })
  assert.equal(late.status, 412)
  assert.match(late.text, /role="alert">This was changed meanwhile/)
  assert.match(late.text, /<pre dir="auto">Of the first<\/pre>/)
  assert.match(late.text, /Of the second<\/textarea>/)
  for (const [form, values] of [
    ['slides/', { remove: slide?.slide_id ?? '' }],
    ['edit/', { name: 'Late', description: '' }],
  ] as [string, Record<string, string>][]) {
    assert.equal((await press(outline, `/story/${id}/${form}`, values)).status, 412)
  }
  assert.equal((await read(id)).slides[1]?.content, 'Of the first')
  await browser.submit(late, { ...shown, content: 'Of both', action: 'save' })
  assert.equal((await read(id)).slides[1]?.content, 'Of both')
})

test('an earlier version is shown and restored', async () => {
  const id = await newStory()
  await press(await visit(`/story/${id}/edit/`), `/story/${id}/edit/`, {
    name: 'Renamed',
    description: '',
  })
  assert.equal((await read(id)).name, 'Renamed')
  const history = await visit(`/story/${id}/history/`)
  assert.deepEqual(history.text.match(/Version \d+(?=<)/g), ['Version 2', 'Version 1'])
  const stale = await visit(`/story/${id}/history/1/`)
  assert.match(stale.text, /<h1><bdi>Bloom<\/bdi><\/h1>/)
  const restored = await browser.submit(stale, {})
  assert.match(restored.text, /<h1><bdi>Bloom<\/bdi><\/h1>/)
  assert.equal((await browser.submit(stale, {})).status, 412)
  assert.match((await visit(`/story/${id}/history/3/`)).text, /This is the current version/)
  for (const number of ['0', '9', 'x']) {
    assert.equal((await visit(`/story/${id}/history/${number}/`)).status, 404, number)
  }
})

/** Loads a page again as a browser does, until it does not ask for it. */
async function untilDone(first: BrowserPage): Promise<BrowserPage> {
  let page = first
  for (let tries = 0; tries < 600; tries++) {
    const response = await browser.send(page.url)
    if (!response.headers.get('refresh')) return browser.visit(page.url)
    await new Promise((resolve) => setTimeout(resolve, 100))
    page = { ...page, text: response.text }
  }
  throw new Error(`${first.url} is still in progress`)
}

test('a story is exported', async () => {
  const id = await newStory('Früh')
  const started = await browser.submit(await visit(`/story/${id}/export/`), { format: 'markdown' })
  const done = await untilDone(started)
  const [, href = ''] = /<a class="button" href="([^"]+)" download>/.exec(done.text) ?? []
  const file = await browser.send(at(href))
  assert.equal(file.status, 200)
  assert.equal(file.headers.get('content-type'), 'application/zip')
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment/)
  const other = (await signInAt('/account/', await signUp())).browser
  assert.equal((await other.send(at(href))).status, 403)
  assert.ok([403, 404].includes((await other.send(done.url)).status))
  assert.match((await createBrowser().visit(at(href))).url.pathname, /^\/sign-in\//)
  assert.equal(
    (await browser.submit(await visit(`/story/${id}/export/`), { format: 'x' })).status,
    400,
  )
})

test('AI writes and improves texts', { skip: withoutAi }, async () => {
  const name = `story ${randomUUID()}`
  const id = await newStory(name)
  const [title] = (await read(id)).slides
  await scriptModel(name, { json: { content: 'By a model', figures: [] } })
  const form = await visit(`/story/${id}/slide/?slide=${title?.slide_id}`)
  const written = await browser.submit(form, { content: 'mine', action: 'write' })
  assert.match(written.text, /By a model<\/textarea>/)
  assert.deepEqual(told(await read(id)), ['', counts, depths], 'nothing is saved')
  await scriptModel(name, { json: { content: 'Longer' } }, { status: 500 })
  const longer = await browser.submit(form, { content: randomUUID(), action: 'more' })
  assert.match(longer.text, /Longer<\/textarea>/)
  const failed = await browser.submit(form, { content: 'still mine', action: 'less' })
  assert.equal(failed.status, 502)
  assert.match(failed.text, /role="alert">The language model did not answer/)
  assert.match(failed.text, /still mine<\/textarea>/)

  const figure = (content: string) => ({
    content,
    methods: '',
    inputs: [],
    outputs: [],
    data: '',
    availability: '',
  })
  const replies = [
    { content: 'Intro', figures: [] },
    figure('One'),
    figure('Two'),
    { content: 'End', figures: [] },
  ]
  await scriptModel(name, ...replies.map((json) => ({ json })))
  const done = await untilDone(await startWriting(id))
  assert.match(done.text, /role="status">Done/)
  assert.ok((await read(id)).slides.some(({ content }) => content === 'Intro'))
})

/** Starts the task in which AI writes a story. */
async function startWriting(id: string) {
  const form = await visit(`/story/${id}/edit/`)
  return browser.submit(form, { action: 'generate' }, `/story/${id}/write/`)
}

test('a task of AI is cancelled', { skip: withoutAi }, async () => {
  const name = `story ${randomUUID()}`
  await scriptModel(name, { text: ['never'], stallAfter: 0 })
  const id = await newStory(name)
  const cancelled = await untilDone(await browser.submit(await startWriting(id)))
  assert.match(cancelled.text, /role="alert">This did not work/)
  assert.deepEqual(told(await read(id)), ['', counts, depths])
})

test('the figures are opened to readers of the story', async () => {
  const id = await newStory()
  const path = `/story/${id}/edit/`
  const opened = await browser.submit(await visit(path), {
    name: 'Open',
    description: '',
    visible: 'on',
  })
  assert.equal(opened.status, 200)
  assert.equal((await read(id)).revisions_visible_to_readers, true)
  await browser.submit(await visit(path), { name: 'Still open', description: '' })
  assert.equal((await read(id)).revisions_visible_to_readers, true)
  await press(await visit(path), path, { name: 'Closed', description: '', was_visible: 'on' })
  assert.equal((await read(id)).revisions_visible_to_readers, false)
})

test('a story is deleted and restored', async () => {
  const id = await newStory()
  const question = await visit(`/story/${id}/delete/`)
  const deleted = await browser.submit(question)
  assert.equal((await visit(`/story/${id}/`)).status, 404)
  await browser.submit(deleted, { id, kind: 'story' })
  assert.equal((await visit(`/story/${id}/`)).status, 200)
})

test('forms are protected, and permissions are those of the services', async () => {
  const id = await newStory()
  const page = await visit(`/story/${id}/edit/`)
  await expectProtected({ browser, page }, `/story/${id}/edit/`, { name: 'Forged', version: '1' })
  await alice.api.post(`story/${id}/share/link/`, { enabled: true }, 200)
  const mallory = await signInAt('/account/', await signUp())
  const [slide] = (await read(id)).slides
  const form_token = formTokenIn(mallory.page)
  for (const [path, values] of [
    ['edit/', { name: 'Forged' }],
    ['slides/', { remove: slide?.slide_id ?? '' }],
    [`slide/?slide=${slide?.slide_id}`, { content: 'Forged', action: 'save' }],
    ['history/1/', {}],
    ['write/', { action: 'generate' }],
    ['delete/', {}],
  ] as [string, Record<string, string>][]) {
    const body = new URLSearchParams({ form_token, version: '1', ...values })
    const sent = { method: 'POST', body, headers: ownOrigin }
    const { status } = await mallory.browser.send(at(`/story/${id}/${path}`), sent)
    assert.ok([403, 404].includes(status), `${path}: ${status}`)
  }
  const shown = await mallory.browser.visit(at(`/story/${id}/`))
  assert.doesNotMatch(shown.text, /\/(edit|history|delete)\//)
  assert.equal((await read(id)).name, 'Bloom')
})
