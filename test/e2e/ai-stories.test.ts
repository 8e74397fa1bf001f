import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { findOrCreate } from '@figbase/client'
import { modelRequests, scriptModel, withoutAi } from '../src/ai.js'
import type { Refusal } from '../src/client.js'
import { png } from '../src/images.js'
import { published } from '../src/published.js'
import { newStory, type Slide, type Story, toSend } from '../src/stories.js'
import { finishedTask, until } from '../src/tasks.js'
import { signUp, type TestUser } from '../src/users.js'

type Started = { task_id: string }

let ann: TestUser
let bob: TestUser
let workspace: string
let revisions: string[]
before(async () => {
  ;[ann, bob] = await Promise.all([signUp(), signUp()])
  workspace = (await findOrCreate(ann.figbase, 'Climate')).api_id
  revisions = []
  for (const name of ['Monthly means', 'Yearly sums']) {
    const figure = `Climate/Temperatures/${name}`
    const shown = { figure, image: png(64, 48), code: `plot("${name}")` }
    revisions.push((await published(ann.figbase, shown)).api_id)
  }
})

/** A story with a name that only its own requests to the model contain. */
async function create(more: object = {}) {
  const name = `story ${randomUUID()}`
  const story = await newStory(ann.api, workspace, { name, revisions, ...more })
  return { name, id: story.api_id, story }
}
const read = async (id: string) => (await ann.api.get<Story>(`story/${id}/`)).body
const write = async <T>(route: string, body: object) =>
  (await ann.api.post<T>(`deep_insight/story/${route}/`, body, 200)).body
const start = async (route: string, id: string) =>
  (await write<Started>(route, { story_id: id })).task_id
const slidesOf = (slides: Slide[], type: string) => slides.filter((one) => one.slide_type === type)
const textsOf = (slides: Slide[], type: string) => slidesOf(slides, type).map((one) => one.content)

const figureText = (content: string) => ({
  content,
  methods: `methods of ${content}`,
  inputs: ['nets.csv'],
  outputs: ['means.csv'],
  data: `data of ${content}`,
  availability: `availability of ${content}`,
})
const overviewText = (content: string) => ({
  content,
  figures: [
    { number: 1, description: 'one', methods: 'by hand' },
    { number: 2, description: 'two', methods: '' },
    { number: 7, description: 'no such figure', methods: '' },
  ],
})
const [introduction, first, second, conclusion] = [
  overviewText('the introduction'),
  figureText('the first figure'),
  figureText('the second figure'),
  overviewText('the conclusion'),
]
const wholeStory = [introduction, first, second, conclusion].map((json) => ({ json }))
const stalled = { text: ['one ', 'two'], stallAfter: 1 }

describe('one text of a story by AI', { skip: withoutAi }, () => {
  test('a slide about a figure: the model gets the picture, the code and the story', async () => {
    const { name, id } = await create()
    await scriptModel(name, { json: first })
    const { data: _, availability: __, ...shown } = first
    const asked = { story_id: id, slide_type: 'figure', revision_id: revisions[0] }
    assert.deepEqual(await write('slide/generate', asked), { ...shown, omissions: [] })
    const [request] = await modelRequests(name)
    assert.equal(request?.images.length, 1)
    assert.match(request?.text ?? '', /Monthly means/)
    assert.match(request?.text ?? '', /plot\("Monthly means"\)/)
    const again = { story_id: id, revision_id: revisions[0] }
    assert.deepEqual(await write('figure', again), { ...shown, omissions: [] })
    assert.deepEqual(textsOf((await read(id)).slides, 'figure'), ['', ''])
  })

  test('a slide about the story: the model gets all figures, and tells about those that exist', async () => {
    const { name, id } = await create()
    await scriptModel(name, { json: introduction })
    const expected = {
      content: 'the introduction',
      figure_descriptions: [
        { revision_id: revisions[0], content: 'one' },
        { revision_id: revisions[1], content: 'two' },
      ],
      figure_methods: [{ revision_id: revisions[0], content: 'by hand' }],
      omissions: [],
    }
    const asked = { story_id: id, slide_type: 'goals', model: 'large' }
    assert.deepEqual(await write('slide/generate', asked), expected)
    assert.deepEqual(await write('overviews', { story_id: id }), expected)
    const [request] = await modelRequests(name)
    assert.equal(request?.model, 'large')
    assert.match(request?.text ?? '', /Monthly means.*Yearly sums/s)
  })

  test('a text with more or less detail', async () => {
    const { name, id, story } = await create()
    const slide_id = slidesOf(story.slides, 'figure')[0]?.slide_id
    await scriptModel(name, { json: { content: 'longer' } }, { json: { content: 'short' } })
    const text = { story_id: id, slide_id, current_content: `in the editor ${randomUUID()}` }
    const more = { ...text, direction: 'more' }
    assert.deepEqual(await write('slide/detail', more), { content: 'longer' })
    const less = { ...text, direction: 'less' }
    assert.deepEqual(await write('slide/detail', less), { content: 'short' })
    const [request] = await modelRequests(text.current_content)
    assert.match(request?.text ?? '', /plot\("Monthly means"\)/)
  })

  test('better texts of all slides: those that change are returned, and nothing is saved', async () => {
    const slides = [
      { slide_type: 'title', content: 'The title' },
      { slide_type: 'custom', content: 'some text' },
    ]
    const { name, id, story } = await create({ slides })
    const answer = [
      { number: 1, content: 'The title' },
      { number: 2, content: 'better text' },
    ]
    await scriptModel(name, { json: { slides: answer } })
    const slide_id = story.slides[1]?.slide_id
    assert.deepEqual(await write('refine', { story_id: id }), {
      content: 'better text',
      slides: [{ slide_id, content: 'better text' }],
      omissions: [],
    })
    assert.deepEqual(await read(id), story)
  })

  test('an answer of another shape is asked again once, then the error is 502', async () => {
    const { name, id } = await create()
    await scriptModel(name, { text: 'no JSON' }, { json: introduction })
    const { content } = await write<{ content: string }>('overviews', { story_id: id })
    assert.equal(content, 'the introduction')
    assert.equal((await modelRequests(name)).length, 2)
    const other = await create()
    await scriptModel(other.name, { text: 'no JSON' })
    const path = 'deep_insight/story/overviews/'
    const refusal = await ann.api.post<Refusal>(path, { story_id: other.id }, 502)
    assert.equal(refusal.body.error, 'ai_failed')
    assert.equal((await modelRequests(other.name)).length, 2)
  })

  test('bad input is 400 with the name of the member, and reaches no model', async () => {
    const { name, id, story } = await create()
    const slide_id = story.slides[0]?.slide_id
    const detail = { story_id: id, slide_id, direction: 'more', current_content: 'text' }
    const cases: [string, string, object][] = [
      ['slide/generate', 'slide_type', { story_id: id, slide_type: 'poem' }],
      ['slide/generate', 'revision_id', { story_id: id, slide_type: 'figure' }],
      ['slide/generate', 'revision_id', { story_id: id, slide_type: 'data', revision_id: id }],
      ['slide/generate', 'story_id', { story_id: randomUUID(), slide_type: 'data' }],
      ['slide/generate', 'model', { story_id: id, slide_type: 'data', model: 'huge' }],
      ['slide/detail', 'direction', { ...detail, direction: 'up' }],
      ['slide/detail', 'slide_id', { ...detail, slide_id: 'x' }],
      ['slide/detail', 'model', { ...detail, model: 'huge' }],
      ['slide/detail', 'current_content', { ...detail, current_content: ' ' }],
      ['figure', 'revision_id', { story_id: id, revision_id: randomUUID() }],
      ['overviews', 'story_id', { story_id: 'x' }],
      ['refine', 'story_id', {}],
      ['generate', 'story_id', { story_id: randomUUID() }],
      ['refine_async', 'story_id', { story_id: 7 }],
    ]
    for (const [route, field, body] of cases) {
      const path = `deep_insight/story/${route}/`
      const { body: refusal } = await ann.api.post<Refusal>(path, body, 400)
      assert.deepEqual(
        refusal.errors?.map((one) => one.field),
        [field],
        `${route} ${JSON.stringify(body)}`,
      )
    }
    assert.equal((await modelRequests(name)).length, 0)
    await bob.api.post('deep_insight/story/overviews/', { story_id: id }, 403)
  })
})

describe('a whole story by AI', { skip: withoutAi }, () => {
  test('a task writes an introduction, the slide of each figure, and a conclusion', async () => {
    const { name, id } = await create()
    await scriptModel(name, ...wholeStory)
    const task = await finishedTask(ann.figbase, await start('generate', id))
    assert.equal(task.status, 'SUCCESS', task.error ?? '')
    assert.equal(task.progress, 100)
    const { slides, generation_status } = await read(id)
    assert.equal(generation_status, null)
    assert.deepEqual(
      slides.map(({ slide_type, content }) => [slide_type, content]),
      [
        ['title', slides[0]?.content],
        ['introduction', 'the introduction'],
        ['figure', 'the first figure'],
        ['figure', 'the second figure'],
        ['conclusion', 'the conclusion'],
      ],
    )
    assert.deepEqual(slides[2]?.slide_data, {
      methods: 'methods of the first figure',
      data: 'data of the first figure',
      availability: 'availability of the first figure',
    })
    const { body: versions } = await ann.api.get<{ saved_by: string }[]>(`story/${id}/history/`)
    assert.deepEqual(
      versions.map(({ saved_by }) => saved_by),
      [ann.username, ann.username],
    )
  })

  test('a story can be written when it is created', async () => {
    const name = `story ${randomUUID()}`
    await scriptModel(name, ...wholeStory)
    const story = await newStory(ann.api, workspace, { name, revisions, generate: true })
    assert.equal(story.generation_status, 'generating')
    await written(story.api_id)
    const { slides } = await read(story.api_id)
    assert.deepEqual(textsOf(slides, 'figure'), ['the first figure', 'the second figure'])
    assert.deepEqual(textsOf(slides, 'introduction'), ['the introduction'])
  })

  test('a task saves better texts', async () => {
    const { name, id } = await create({ slides: [{ slide_type: 'custom', content: 'some text' }] })
    await scriptModel(name, { json: { slides: [{ number: 1, content: 'better text' }] } })
    const task = await finishedTask(ann.figbase, await start('refine_async', id))
    assert.equal(task.status, 'SUCCESS', task.error ?? '')
    const { slides, generation_status } = await read(id)
    assert.equal(generation_status, null)
    assert.equal(slides[0]?.content, 'better text')
  })

  test('a second task cancels the first one', async () => {
    const { name, id } = await create()
    await scriptModel(name, stalled)
    const old = await start('generate', id)
    await until(async () => (await modelRequests(name)).some(({ isOpen }) => isOpen), 'a request')
    await scriptModel(name, ...wholeStory)
    const newer = await start('generate', id)
    assert.equal((await finishedTask(ann.figbase, old)).status, 'REVOKED')
    const task = await finishedTask(ann.figbase, newer)
    assert.equal(task.status, 'SUCCESS', task.error ?? '')
    await requestsEnd(name)
    const { slides, generation_status } = await read(id)
    assert.equal(generation_status, null)
    assert.deepEqual(textsOf(slides, 'figure'), ['the first figure', 'the second figure'])
  })

  test('cancelling the task ends the request to the model', async () => {
    const { name, id, story } = await create()
    await scriptModel(name, stalled)
    const task = await start('generate', id)
    assert.equal((await read(id)).generation_status, 'generating')
    await until(async () => (await modelRequests(name)).some(({ isOpen }) => isOpen), 'a request')
    await ann.api.post(`tasks/${task}/cancel/`, {}, 200)
    assert.equal((await finishedTask(ann.figbase, task)).status, 'REVOKED')
    await requestsEnd(name)
    await written(id)
    assert.deepEqual((await read(id)).slides, story.slides)
  })

  test('if the model fails, the task says so, and the story stays as it is', async () => {
    const { name, id, story } = await create()
    await scriptModel(name, { status: 500 })
    const task = await finishedTask(ann.figbase, await start('generate', id))
    assert.equal(task.status, 'FAILURE')
    assert.match(task.error ?? '', /model/)
    await written(id)
    assert.deepEqual((await read(id)).slides, story.slides)
  })

  test('what an author changed meanwhile stays', async () => {
    const { name, id, story } = await create()
    const slow = { json: conclusion, stallMs: 1500 }
    await scriptModel(name, ...wholeStory.slice(0, 3), slow)
    const task = await start('generate', id)
    const slides = toSend(story.slides).map((slide) =>
      slide.revision_id === revisions[0] ? { ...slide, content: 'by the author' } : slide,
    )
    await until(async () => (await modelRequests(name)).length === 4, 'the last request')
    await ann.api.patch(`story/${id}/`, { slides })
    const { status, error } = await finishedTask(ann.figbase, task)
    assert.equal(status, 'SUCCESS', error ?? '')
    const { slides: now } = await read(id)
    assert.deepEqual(textsOf(now, 'figure'), ['by the author', 'the second figure'])
    assert.deepEqual(textsOf(now, 'conclusion'), ['the conclusion'])
  })
})

const written = (id: string) =>
  until(async () => (await read(id)).generation_status === null, 'the end of the generation')

const requestsEnd = (name: string) =>
  until(async () => (await modelRequests(name)).every(({ isOpen }) => !isOpen), 'requests to end')
