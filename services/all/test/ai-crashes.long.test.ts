import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startModelServer } from '@figbase/stories-ai/testing/model-server'
import { deleteAnswers, type Progress, progressOf, tasksEnd } from './support/ai-tasks.js'
import { Author, type Created, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { inDatabase } from './support/in-database.js'
import { Bench, until } from './support/launched.js'
import { settingsFor, switchAiOn } from './support/switch-ai-on.js'

/**
 * Kills the process at each step of the tasks that write a story, refine one, or reply to a comment. After a restart
 * each task ends, no story has a `generation_status`, no reply is empty, and a step whose answer was stored is not sent
 * to the model again. Only the answer that was on its way may be paid twice.
 */
const model = await startModelServer()
const bench = new Bench(program)
after(async () => {
  await bench[Symbol.asyncDispose]()
  assert.deepEqual(model.problems, [])
  await model[Symbol.asyncDispose]()
})
const settings = settingsFor(model, 'openai')
const crashAt = createCrashAt(bench, settings)

type Place = { dataDir: string; id: string; name: string }
type Slide = { slide_type: string; content: string }
type Story = Created & { slides: Slide[]; generation_status: string | null }
type Comment = { id: string; parent_comment_id: string | null; content: string }

const requestsAbout = ({ name }: Place) =>
  model.requests.filter(({ text }) => text.includes(name)).length

async function newFigure(author: Author, analysis: string): Promise<string> {
  // Equal figures would be one request to the model.
  const name = `figure ${randomUUID()}`
  const { api_id } = await author.json<Created>('POST', 'figure/', { name, analysis })
  return api_id
}

/** A story of two figures, with a name that only its own requests to the model contain. */
async function newStory(author: Author, analysis: string, dataDir: string): Promise<Place> {
  await switchAiOn(author.launched.url, dataDir)
  await deleteAnswers(dataDir)
  const { workspace } = await author.json<{ workspace: string }>('GET', `analysis/${analysis}/`)
  const figures = [await newFigure(author, analysis), await newFigure(author, analysis)]
  const revisions = await Promise.all(figures.map((figure) => author.publish(figure)))
  for (const revision of revisions) await author.isIntact(revision)
  const name = `story ${randomUUID()}`
  const told = revisions.map(({ api_id }) => api_id)
  const slides = [{ slide_type: 'custom', content: 'some text' }]
  const body = { name, workspace, revisions: told, slides }
  const { api_id: id } = await author.json<Story>('POST', 'story/', body)
  return { dataDir, id, name }
}

async function start(author: Author, route: string, { id }: Place): Promise<string> {
  const path = `deep_insight/story/${route}/`
  return (await author.json<{ task_id: string }>('POST', path, { story_id: id })).task_id
}

/** The task that writes the story, for a client that got no response. */
const lostTask = ({ dataDir, id }: Place) =>
  inDatabase(dataDir, 'stories-ai', async (client) => {
    const { rows } = await client.query(
      'select task_id from story_generation where story_id = $1',
      [id],
    )
    return rows[0]?.task_id as string | undefined
  })

type Task = { status: string; error: string | null }
/** A process that was killed may not have opened the record of the task: then its job does. */
async function finished(author: Author, id: string): Promise<Task> {
  let task: Task | undefined
  await until(async () => {
    const response = await author.request('GET', `tasks/${id}/`)
    if (response.status === 404) return false
    task = (await response.json()) as Task
    return task.status !== 'PENDING' && task.status !== 'STARTED'
  }, 'the end of the task')
  assert.ok(task)
  return task
}

type Writing = { route: string; steps: number; slides: [string, string][] }

const example = 'text'
const generation: Writing = {
  route: 'generate',
  steps: 4,
  slides: [
    ['introduction', example],
    ['figure', example],
    ['figure', example],
    ['conclusion', example],
    ['custom', 'some text'],
  ],
}
const refinement: Writing = { route: 'refine_async', steps: 1, slides: [['custom', 'better text']] }

function survives(point: string, { route, steps, slides }: Writing) {
  test(`${route} survives a kill at ${point}`, async () => {
    let task: string | undefined
    let killed: Progress | undefined
    await crashAt(
      point,
      async (author, analysis, dataDir) => {
        const place = await newStory(author, analysis, dataDir)
        const json = { slides: [{ number: 1, content: 'better text' }] }
        if (route === 'refine_async') model.match(place.name, { json })
        return place
      },
      async (author, place) => {
        task = await start(author, route, place).catch(() => undefined)
        await author.launched.ended
        killed = await progressOf(place.dataDir, requestsAbout(place))
      },
      async (author, place) => {
        task ??= (await lostTask(place)) ?? (await start(author, route, place))
        const { status, error } = await finished(author, task)
        assert.equal(status, 'SUCCESS', error ?? '')
        await tasksEnd(place.dataDir)
        const story = await author.json<Story>('GET', `story/${place.id}/`)
        assert.equal(story.generation_status, null)
        const written = story.slides.map(({ slide_type, content }) => [slide_type, content])
        for (const slide of slides)
          assert.ok(
            written.some(([type, text]) => type === slide[0] && text === slide[1]),
            JSON.stringify(written),
          )
        const versions = await author.json<unknown[]>('GET', `story/${place.id}/history/`)
        assert.equal(versions.length, 2)
        const { asked, kept, paid } = killed ?? { asked: 0, kept: 0, paid: 0 }
        assert.ok(asked - kept <= 1, `${asked} asked, ${kept} kept`)
        assert.ok(paid <= kept, `${paid} paid, ${kept} kept`)
        assert.equal(requestsAbout(place), asked + steps - kept)
      },
    )
  })
}

const starting = [
  ...around('stories-ai.CheckAccess'),
  ...transaction('stories-ai'),
  ...around('stories-ai.StartTask'),
]
const saving = [
  ...around('stories-ai.ReserveUpdate'),
  ...transaction('stories-ai').map((point) => point.replace(':1', ':2')),
  ...around('stories-ai.ActivateUpdate'),
]
// Each step writes three times: the request to the ledger, the answer, the settlement.
for (const point of [
  ...starting,
  ...around('stories-ai.generate-story'),
  ...around('stories-ai.ResolveNodes'),
  ...around('stories-ai.GetRevision'),
  ...around('stories-ai.write', 6),
  ...saving,
])
  survives(point, generation)
for (const point of [
  ...around('stories-ai.refine-story'),
  ...around('stories-ai.write', 3),
  ...saving,
])
  survives(point, refinement)

/** A comment with words that only its own requests to the model contain. */
async function newComment(author: Author, analysis: string, dataDir: string) {
  await switchAiOn(author.launched.url, dataDir)
  await deleteAnswers(dataDir)
  const figure = await newFigure(author, analysis)
  await author.isIntact(await author.publish(figure))
  const name = `question ${randomUUID()}`
  const body = { target_type: 'figure', target_id: figure, content: name }
  const { id } = await author.json<Comment>('POST', 'comment/', body)
  return { dataDir, id, name, figure }
}

async function repliesTo(author: Author, { id, figure }: Place & { figure: string }) {
  const path = `comment/?target_type=figure&target_id=${figure}`
  const comments = await author.json<Comment[]>('GET', path)
  return comments.filter(({ parent_comment_id }) => parent_comment_id === id)
}

for (const point of [
  ...around('stories-ai.GetPublicSettings'),
  ...transaction('stories-ai'),
  ...around('stories-ai.StartTask'),
  ...around('stories-ai.CreateAiResponse', 2),
  ...around('stories-ai.reply-to-comment'),
  ...around('stories-ai.GetPlanTerms'),
  ...around('stories-ai.write', 4),
  ...around('stories-ai.FillAiResponse'),
]) {
  test(`a reply survives a kill at ${point}`, async () => {
    let killed: Progress | undefined
    let isAcknowledged = false
    await crashAt(
      point,
      newComment,
      async (author, place) => {
        const path = `comment/${place.id}/create_ai_response/`
        isAcknowledged = await author.request('POST', path).then(
          ({ ok }) => ok,
          () => false,
        )
        await author.launched.ended
        killed = await progressOf(place.dataDir, requestsAbout(place))
      },
      async (author, place) => {
        await tasksEnd(place.dataDir)
        const replies = await repliesTo(author, place)
        assert.ok(replies.length === 1 || (replies.length === 0 && !isAcknowledged))
        for (const { content } of replies) assert.match(content, /^You asked: /)
        const { asked, kept, paid } = killed ?? { asked: 0, kept: 0, paid: 0 }
        assert.ok(paid <= kept, `${paid} paid, ${kept} kept`)
        assert.equal(requestsAbout(place), replies.length === 1 ? asked + 1 - kept : asked)
      },
    )
  })
}

test('tasks whose process is killed in each attempt fail, and leave nothing behind', async () => {
  const dataDir = await bench.dir()
  const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d', ...settings }
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const figure = await author.newFigure()
  const { analysis } = await author.json<{ analysis: string }>('GET', `figure/${figure}/`)
  const story = await newStory(author, analysis, dataDir)
  const comment = await newComment(author, analysis, dataDir)
  assert.equal(await author.launched.stop(), 0)
  let task: string | undefined
  // Two tasks, with three attempts each: some attempts of both end with one kill.
  for (let kills = 1; kills <= 6; kills++) {
    const point = 'stories-ai.GetPlanTerms.before'
    author.launched = bench.launch({ dataDir, env: { ...env, FAIL_AT: point } })
    const { launched } = author
    await until(() => launched.output.includes('Figbase is ready') || launched.hasEnded(), 'ready')
    if (kills === 1) {
      const path = `comment/${comment.id}/create_ai_response/`
      await author.request('POST', path).catch(() => {})
    }
    if (!task && !launched.hasEnded())
      task = await start(author, 'generate', story).catch(() => undefined)
    task ??= await lostTask(story)
    const isEnded = async () => launched.hasEnded() || (await isOver(dataDir))
    await until(isEnded, 'a kill')
    if (!launched.hasEnded()) break
  }
  if (!author.launched.hasEnded()) await author.launched.stop()
  author.launched = await bench.start({ dataDir, env })
  await tasksEnd(dataDir)
  assert.ok(task)
  const { status, error } = await finished(author, task)
  assert.equal(status, 'FAILURE')
  assert.match(error ?? '', /its process ended/)
  const { generation_status, slides } = await author.json<Story>('GET', `story/${story.id}/`)
  assert.equal(generation_status, null)
  assert.ok(slides.some(({ content }) => content === 'some text'))
  const replies = await repliesTo(author, comment)
  assert.deepEqual(
    replies.map(({ content }) => content),
    ['AI could not answer: its task ended.'],
  )
  assert.equal(requestsAbout(story) + requestsAbout(comment), 0)
  assert.equal(await author.launched.stop(), 0)
})

/** Whether no attempt of a task is left. */
const isOver = (dataDir: string) =>
  inDatabase(dataDir, 'stories-ai', async (client) => {
    const text = `select from job where name in ('generate-story', 'reply-to-comment')`
    return (await client.query(text)).rowCount === 0
  }).catch(() => false)
