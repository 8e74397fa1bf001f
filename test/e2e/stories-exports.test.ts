import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Figbase } from '@figbase/client'
import { unzipSync } from 'fflate'
import { callerWith, newApiKey } from '../src/api-keys.js'
import type { Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { downloadExport, type Export, exportStory } from '../src/exports.js'
import { figbaseOf } from '../src/figbase.js'
import { png, svg } from '../src/images.js'
import { textOfPdf, withoutPdf } from '../src/pdf.js'
import { at, base64, code, image, newPlace, type Place, publish } from '../src/publish.js'
import type { DataToSend, Revision } from '../src/resources.js'
import { newStory } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place
let photo: Revision
let drawing: Revision
const picture = png(300, 200, 7)

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  const { api_id: figure } = place.figure
  const vector: DataToSend = {
    name: 'figure',
    type: 'image',
    metadata: { format: 'svg' },
    data: base64(svg(40, 30)),
  }
  photo = await publish(alice.api, figure, [image(picture), code(Buffer.from('print(1)'))])
  drawing = await publish(alice.api, figure, [vector])
})

async function unpacked(me: Figbase, result: Export) {
  const { bytes } = await downloadExport(me, result)
  assert.equal(bytes.length, result.size_bytes)
  const files = unzipSync(bytes)
  const names = Object.keys(files).sort()
  const text = Buffer.from(at(Object.values(files), names.length - 1)).toString()
  return { files, names, text }
}

const create = (slides: object[], more: object = {}) =>
  newStory(alice.api, place.workspace.api_id, { slides, ...more })
const figure = ({ api_id }: Revision, content: string) => ({
  slide_type: 'figure',
  revision_id: api_id,
  content,
})

test('a Markdown export has the texts and the pictures in full resolution', async () => {
  const name = '../Spring *of* 2026 / "x"'
  const story = await create(
    [
      { slide_type: 'title', content: '# Nets' },
      figure(photo, 'It *was* warm.'),
      figure(drawing, 'Drawn.'),
      figure(photo, 'Once more.'),
    ],
    { name },
  )
  const result = await exportStory(alice.figbase, story.api_id)
  assert.equal(result.format, 'markdown')
  assert.ok(result.url.startsWith(`/api/${LATEST}/`), result.url)
  assert.equal(result.file_name, 'Spring-of-2026-x.zip')
  const { files, names, text } = await unpacked(alice.figbase, result)
  assert.equal(names.length, 3, 'a picture on two slides is stored once')
  const [first = '', second = ''] = names
  assert.match(first, /^pictures\/001-[\w-]+\.png$/)
  assert.match(second, /^pictures\/002-[\w-]+\.png$/)
  assert.ok(picture.equals(at(Object.values(files), 0)), 'the stored bytes')
  for (const part of ['# Nets', 'It *was* warm.', 'Once more.', 'What the nets told us']) {
    assert.ok(text.includes(part), part)
  }
  assert.equal(text.split(`](${first})`).length, 3)
  assert.ok(text.includes(photo.api_id) && text.includes(drawing.api_id))
  assert.match(text, /> Code: /)
  assert.ok(text.startsWith('# \\.\\./Spring \\*of\\* 2026'))
})

const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

test('a PPTX has a slide each, with the stored pictures and notes about their origin', async () => {
  const story = await create(
    [
      { slide_type: 'title', content: '# Nets & <b>\n\nand **more**' },
      figure(photo, 'It *was* warm.'),
      figure(drawing, '- Drawn\n- twice'),
      figure(photo, '\u0001Once more.'),
    ],
    { name: 'Spring\u0007 of "2026"' },
  )
  const result = await exportStory(alice.figbase, story.api_id, 'pptx')
  assert.equal(result.file_name, 'Spring-of-2026.pptx')
  const { type, bytes } = await downloadExport(alice.figbase, result)
  assert.match(type ?? '', /presentationml\.presentation$/)
  const files = unzipSync(bytes)
  const names = Object.keys(files)
  const slides = [1, 2, 3, 4].map((n) => textOf(files[`ppt/slides/slide${n}.xml`]))
  assert.equal(names.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name)).length, 4)
  assert.ok(slides[0]?.includes('Nets &amp; &lt;b&gt;') && slides[0].includes('more'))
  assert.ok(slides[1]?.includes('was') && !slides[1].includes('*was*'))
  assert.ok(slides[1]?.includes('<p:pic>') && slides[2]?.includes('<p:pic>'))
  assert.ok(slides[3]?.includes('Once more.') && !slides[3].includes('\u0001'))
  const media = Object.entries(files).filter(([name]) => name.startsWith('ppt/media/'))
  assert.ok(
    media.some(([, bytes]) => picture.equals(bytes)),
    'the stored bytes',
  )
  const notes = textOf(files['ppt/notesSlides/notesSlide2.xml'])
  assert.ok(notes.includes(photo.api_id) && notes.includes('Code: '))
})

test('a download supports ranges and conditional requests', async () => {
  const story = await create([figure(photo, 'x')])
  const { url, size_bytes } = await exportStory(alice.figbase, story.api_id)
  const get = async (headers: Record<string, string>) => {
    const authorization = alice.api.authorization ?? ''
    const answer = await fetch(new URL(url, deployment.origin), {
      headers: { authorization, ...headers },
    })
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const whole = await get({})
  assert.equal(whole.answer.status, 200)
  assert.equal(whole.answer.headers.get('content-type'), 'application/zip')
  assert.match(whole.answer.headers.get('content-disposition') ?? '', /^attachment;/)
  assert.equal(whole.bytes.length, size_bytes)
  const part = await get({ range: 'bytes=10-99' })
  assert.equal(part.answer.status, 206)
  assert.equal(part.answer.headers.get('content-range'), `bytes 10-99/${size_bytes}`)
  assert.ok(part.bytes.equals(whole.bytes.subarray(10, 100)))
  assert.equal((await get({ range: `bytes=${size_bytes}-` })).answer.status, 416)
  const etag = whole.answer.headers.get('etag') ?? ''
  assert.equal((await get({ 'if-none-match': etag })).answer.status, 304)
})

test('an export shows a reader only what they may view, and is for its owner only', async () => {
  const secret = await newPlace(alice.api)
  const hidden = await publish(alice.api, secret.figure.api_id, [
    image(png(50, 50, 9)),
    code(Buffer.from('secret_code()')),
  ])
  const story = await create([figure(hidden, 'What the author wrote.')])
  const path = `story/${story.api_id}/`
  await bob.api.post(`${path}export/`, { format: 'markdown' }, 403)
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`${path}share/user/`, share, 200)

  const own = await exportStory(alice.figbase, story.api_id)
  assert.equal((await unpacked(alice.figbase, own)).names.length, 2)
  const result = await exportStory(bob.figbase, story.api_id)
  const { names, text } = await unpacked(bob.figbase, result)
  assert.deepEqual(names, ['story.md'])
  assert.ok(text.includes('What the author wrote.'))
  assert.ok(text.includes('You may not view the figure on this slide.'))
  for (const part of [hidden.api_id, 'secret', 'Code:', 'Source:', secret.figure.name]) {
    assert.ok(!text.includes(part), part)
  }

  const pptx = await exportStory(bob.figbase, story.api_id, 'pptx')
  const slides = unzipSync((await downloadExport(bob.figbase, pptx)).bytes)
  const all = Object.values(slides).map(textOf).join(' ')
  assert.ok(all.includes('What the author wrote.') && !all.includes('<p:pic>'))
  for (const part of [hidden.api_id, 'secret', 'Source:']) assert.ok(!all.includes(part), part)

  await bob.api.get(own.url, 404)
  await alice.api.get(result.url, 404)
  await alice.api.post(`${path}share/user/`, { ...share, sharing_enabled: false }, 200)
  await bob.api.get(result.url, 403)
})

test('an export cannot be downloaded when a shown revision may not be viewed any more', async () => {
  const gone = await publish(alice.api, place.figure.api_id, [image(png(50, 50, 3))])
  const story = await create([figure(gone, 'x')])
  const result = await exportStory(alice.figbase, story.api_id)
  await alice.api.delete(`revision/${gone.api_id}/`)
  const { body } = await alice.api.get<Refusal>(result.url, 409)
  assert.equal(body.error, 'export_outdated')
  const { names, text } = await unpacked(
    alice.figbase,
    await exportStory(alice.figbase, story.api_id),
  )
  assert.deepEqual(names, ['story.md'])
  assert.ok(text.includes('was deleted'))
})

test('a PPTX is made without a file that is no picture, and without slides', async () => {
  const broken = Buffer.concat([picture.subarray(0, 8), Buffer.from('no picture')])
  const odd = await publish(alice.api, place.figure.api_id, [image(broken)])
  const story = await create([figure(odd, 'x')])
  await exportStory(alice.figbase, story.api_id, 'pptx')
  await exportStory(alice.figbase, (await create([])).api_id, 'pptx')
})

test('an empty story is exported, and names cannot leave the archive', async () => {
  const story = await create([], { name: '///' })
  const result = await exportStory(alice.figbase, story.api_id)
  assert.equal(result.file_name, 'story.zip')
  assert.deepEqual((await unpacked(alice.figbase, result)).names, ['story.md'])
})

test('a PDF has a page for each slide, and shows a reader only what they may view', {
  skip: withoutPdf,
}, async () => {
  const secret = await newPlace(alice.api)
  const hidden = await publish(alice.api, secret.figure.api_id, [
    image(png(50, 50, 11)),
    { ...code(Buffer.from('secret_code()')), name: 'secret_name' },
  ])
  const hostile = '<script>1</script> ![p](http://127.0.0.1:9/p) [x](javascript:alert(1))'
  const slides = [
    { slide_type: 'title', content: '# Nets' },
    figure(photo, 'It *was* warm.'),
    figure(hidden, 'What the author wrote.'),
    { slide_type: 'custom', content: hostile },
  ]
  const story = await create(slides, { name: 'Spring "2026"' })
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`story/${story.api_id}/share/user/`, share, 200)

  const result = await exportStory(alice.figbase, story.api_id, 'pdf')
  assert.equal(result.file_name, 'Spring-2026.pdf')
  const { type, bytes } = await downloadExport(alice.figbase, result)
  assert.equal(type, 'application/pdf')
  const text = await textOfPdf(bytes)
  assert.equal(text.split('\f').length - 1, 4)
  for (const part of ['Nets', 'It was warm.', photo.api_id, hidden.api_id, 'secret_name']) {
    assert.ok(text.includes(part), part)
  }
  assert.match(text, /Title: +Spring "2026"/)
  assert.ok(text.includes('<script>1</script>') && !/URI.*javascript/.test(text))

  const own = await exportStory(bob.figbase, story.api_id, 'pdf')
  const seen = await textOfPdf((await downloadExport(bob.figbase, own)).bytes)
  for (const part of ['What the author wrote.', 'You may not view the figure on this slide.']) {
    assert.ok(seen.includes(part), part)
  }
  for (const one of [hidden.api_id, photo.api_id, 'secret', 'Source:']) {
    assert.ok(!seen.includes(one), one)
  }
})

test('an unknown format, a foreign id and an API key of one workspace are refused', async () => {
  const story = await create([])
  const path = `story/${story.api_id}/export/`
  await bob.api.post(path, { format: 'pdf' }, 403)
  for (const format of ['docx', '', 1, null, undefined]) {
    const refused = await alice.api.post<Refusal>(path, { format }, 400)
    assert.equal(refused.body.errors?.[0]?.field, 'format')
  }
  for (const id of [crypto.randomUUID(), 'x', '%00']) await alice.api.get(`${path}${id}/`, 404)
  const { api_id: workspace } = place.workspace
  const key = callerWith(await newApiKey(alice.api, { workspace }))
  await key.post(path, { format: 'markdown' }, 403)
  const { token } = await newApiKey(alice.api, { access: 'read' })
  const reader = figbaseOf({ apiKey: token })
  const result = await exportStory(reader, story.api_id)
  assert.equal((await unpacked(reader, result)).names.length, 1)
})
