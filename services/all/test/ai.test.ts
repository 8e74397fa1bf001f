import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startModelServer } from '@figbase/stories-ai/testing/model-server'
import { Author, type Created, program } from './support/author.js'
import { Bench, until } from './support/launched.js'
import { settingsFor, switchAiOn } from './support/switch-ai-on.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const versions = ['v1', 'v1.1', 'v1.2', 'v1.3', 'v1.4', 'v1.4.1']

type OpenApi = { paths: Record<string, unknown> }
type Status = { is_processing: boolean }

/** A figure revision, a comment on it, and a story about it. */
async function newObjects(author: Author) {
  const { api_id: revision } = await author.publish(await author.newFigure())
  const about = { target_type: 'figure_revision', target_id: revision, content: 'Why?' }
  const { id: comment } = await author.json<{ id: string }>('POST', 'comment/', about)
  const [workspace] = (await author.json<Created[]>('GET', 'workspace/')).slice(-1)
  const place = { name: 'S', workspace: workspace?.api_id, revisions: [revision] }
  type Story = Created & { slides: { slide_id: string }[] }
  const { api_id: story, slides } = await author.json<Story>('POST', 'story/', place)
  return { revision, comment, story, slide: slides[0]?.slide_id, workspace: workspace?.api_id }
}

/** A valid body for each route that needs a language model, without the slash at the end. */
function bodiesOf({
  revision,
  comment,
  story,
  slide,
  workspace,
}: Awaited<ReturnType<typeof newObjects>>) {
  const aboutFigure = { figure_revision: revision }
  const aboutStory = { story_id: story }
  const messages = [{ role: 'user', content: 'Make it red' }]
  const detail = { slide_id: slide, direction: 'more', current_content: 'text' }
  return {
    deep_insight: { ...aboutFigure, prompt: 'What is it?' },
    'deep_insight/check': aboutFigure,
    'deep_insight/compare': { left_revision: revision, right_revision: revision },
    'deep_insight/text_only': { text: 'text', prompt: 'What is it?' },
    'deep_insight/figure_code': aboutFigure,
    'deep_insight/datasets': aboutFigure,
    'deep_insight/code_edit': { ...aboutFigure, messages, current_code: 'plot()' },
    'deep_insight/story/slide/generate': { ...aboutStory, slide_type: 'goals' },
    'deep_insight/story/slide/detail': { ...aboutStory, ...detail },
    'deep_insight/story/figure': { ...aboutStory, revision_id: revision },
    'deep_insight/story/overviews': aboutStory,
    'deep_insight/story/refine': aboutStory,
    'deep_insight/story/generate': aboutStory,
    'deep_insight/story/refine_async': aboutStory,
    [`revision/${revision}/generate_description`]: {},
    [`comment/${comment}/create_ai_response`]: {},
    story: { name: 'T', workspace, revisions: [revision], generate: true },
  }
}

test('without a provider, each route that needs a model is 503 ai_disabled in each version, also streamed', async () => {
  const author = new Author(await bench.start({ dataDir: await bench.dir() }))
  await author.signUp()
  const objects = await newObjects(author)
  const bodies = Object.entries(bodiesOf(objects))
  const { paths } = await author.json<OpenApi>('GET', 'openapi.json')
  const declared = Object.keys(paths).filter((path) => path.includes('/deep_insight/'))
  const tested = bodies.map(([route]) => `/api/v1.4.1/${route}/`)
  assert.deepEqual(
    declared.filter((path) => !tested.includes(path)),
    [],
  )
  for (const version of versions) {
    for (const [route, body] of bodies) {
      for (const more of route.startsWith('deep_insight') ? [{}, { stream: true }] : [{}]) {
        const response = await author.request('POST', `../${version}/${route}/`, {
          ...body,
          ...more,
        })
        const refusal = (await response.json()) as { error: string }
        assert.deepEqual(
          [response.status, refusal.error],
          [503, 'ai_disabled'],
          `${version} ${route}`,
        )
      }
    }
    const { ai_enabled } = await author.json<{ ai_enabled: boolean }>('GET', `../${version}/info/`)
    assert.equal(ai_enabled, false)
  }
  const stories = await author.json<{ stories: unknown[] }>(
    'GET',
    `workspace/${objects.workspace}/`,
  )
  assert.equal(stories.stories.length, 1, 'no story is left')
})

test('the key comes from a file, and is in no log, and neither are prompts, figures and answers', async () => {
  await using model = await startModelServer()
  const dataDir = await bench.dir()
  const file = join(dataDir, 'ai-key')
  await writeFile(file, `${model.apiKey}\n`)
  const { AI_API_KEY: _, ...settings } = settingsFor(model, 'openai')
  const env = { ...settings, AI_API_KEY_FILE: file, LOG_LEVEL: 'trace' }
  const author = new Author(await bench.start({ dataDir, env }))
  await switchAiOn(author.launched.url, dataDir)
  await author.signUp()
  const { revision, comment } = await newObjects(author)
  const words = { prompt: `asked ${randomUUID()}`, answer: `answered ${randomUUID()}` }
  const ask = async (reply: object) => {
    model.always(reply)
    const body = { figure_revision: revision, prompt: `${words.prompt} ${randomUUID()}` }
    return (await author.request('POST', 'deep_insight/', body)).status
  }
  assert.equal(await ask({ text: words.answer }), 200)
  assert.equal(
    await ask({ raw: `data: {"error": {"message": "${model.apiKey} ${words.answer}"}}\n\n` }),
    502,
  )
  for (const status of [401, 429, 500]) assert.ok((await ask({ status })) >= 502)
  model.always({ text: words.answer })
  assert.equal(
    (await author.request('POST', `comment/${comment}/create_ai_response/`, {})).status,
    201,
  )
  assert.equal(
    (await author.request('POST', `revision/${revision}/generate_description/`, {})).status,
    200,
  )
  const { analysis } = await author.json<{ analysis: string }>(
    'GET',
    `figure/${await author.newFigure()}/`,
  )
  const { api_id } = await author.json<Created>('POST', 'revision/auto-assign/', {
    analysis,
    data: [],
  })
  await until(
    async () => !(await author.json<Status>('GET', `revision/${api_id}/`)).is_processing,
    'the task',
  )
  assert.equal(await author.launched.stop(), 0)
  assert.deepEqual(model.problems, [], 'the key arrived')
  const { output } = author.launched
  assert.match(output, /language model failed/)
  for (const secret of [model.apiKey, words.prompt, words.answer])
    assert.ok(!output.includes(secret))
})
