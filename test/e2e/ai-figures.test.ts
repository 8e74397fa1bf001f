import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { modelRequests, scriptModel, withoutAi } from '../src/ai.js'
import type { Refusal } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  code,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newWorkspace,
  publish,
  publishAsset,
  table,
} from '../src/publish.js'
import type { DataObject, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

type Answer = { response: string; model: string; is_cached: boolean; omissions: string[] }
type Edit = {
  role: string
  content: string
  code: string
  valid: boolean
  error: string | null
  tool_calls: { name: string; input: unknown; result: string }[]
}
type Dataset = { name: string; description: string; type: string }

let ann: TestUser
let bob: TestUser
let workspace: string
let analysis: string
before(async () => {
  ;[ann, bob] = await Promise.all([signUp(), signUp()])
  workspace = (await newWorkspace(ann.api)).api_id
  analysis = (await newAnalysis(ann.api, workspace)).api_id
})

const words = () => `words ${randomUUID()}`

/** A revision whose code contains `mark`, by which the requests about it can be found. */
async function newMarked(mark: string, source = 'plot(means)', more = {}): Promise<Revision> {
  const figure = await newFigure(ann.api, analysis, 'Monthly means')
  const data = [image(png(64, 48)), code(Buffer.from(`# ${mark}\n${source}`))]
  return publish(ann.api, figure.api_id, data, more)
}

const fieldsOf = ({ body }: { body: Refusal }) => body.errors?.map(({ field }) => field)

/** The events of an answer with two parts. */
async function isStreamed(path: string, body: { prompt: string; [member: string]: unknown }) {
  await scriptModel(body.prompt, { text: ['One ', 'two.'], usage: { input: 9, output: 2 } })
  const response = await fetch(new URL(`/api/${LATEST}/${path}`, deployment.origin), {
    method: 'POST',
    headers: { authorization: ann.api.authorization ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
  })
  const events = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map((found) => found[1])
  assert.deepEqual(events, ['delta', 'delta', 'usage', 'done'])
}

describe('compare/', { skip: withoutAi }, () => {
  const path = 'deep_insight/compare/'
  let left: Revision
  let right: Revision
  before(async () => {
    left = await newMarked('left code')
    right = await newMarked('right code')
  })
  const body = (prompt: string, more = {}) => ({
    left_revision: left.api_id,
    right_revision: right.api_id,
    prompt,
    ...more,
  })

  test('the model gets both pictures and both codes', async () => {
    const prompt = words()
    await scriptModel(prompt, { text: ['They ', 'differ.'] })
    const { body: answer } = await ann.api.post<Answer>(path, body(prompt), 200)
    const expected = { response: 'They differ.', model: 'small', is_cached: false, omissions: [] }
    assert.deepEqual(answer, expected)
    const [request] = await modelRequests(prompt)
    assert.equal(request?.images.length, 2)
    assert.match(request?.text ?? '', /left code[\s\S]*right code/)
  })

  test('the answer is streamed', async () => {
    await isStreamed(path, body(words()))
  })

  test('a revision on which the caller may not comment is 403, also the right one', async () => {
    const prompt = words()
    const own = (await newWorkspace(bob.api)).api_id
    const figure = await newFigure(bob.api, (await newAnalysis(bob.api, own)).api_id)
    const mine = (await publish(bob.api, figure.api_id, [image(png(8, 8))])).api_id
    await bob.api.post(path, body(prompt), 403)
    await bob.api.post(path, body(prompt, { left_revision: mine }), 403)
    await bob.api.post(path, body(prompt, { right_revision: mine }), 403)
    assert.equal((await modelRequests(prompt)).length, 0)
  })

  test('bad input is 400 with the name of the member', async () => {
    const prompt = words()
    const cases: [string, object][] = [
      ['left_revision', { left_revision: 'x' }],
      ['left_revision', { left_revision: randomUUID() }],
      ['right_revision', { right_revision: 'x' }],
      ['right_revision', { right_revision: randomUUID() }],
      ['right_revision', { right_revision: undefined }],
      ['prompt', { prompt: 7 }],
      ['model', { model: 'huge' }],
    ]
    for (const [field, change] of cases) {
      const refusal = await ann.api.post<Refusal>(path, { ...body(prompt), ...change }, 400)
      assert.deepEqual(fieldsOf(refusal), [field], JSON.stringify(change))
    }
    assert.equal((await modelRequests(prompt)).length, 0)
  })
})

describe('text_only/', { skip: withoutAi }, () => {
  const path = 'deep_insight/text_only/'

  test('the model gets the text and the question; the workspace is named or the primary one', async () => {
    for (const more of [{}, { workspace }]) {
      const prompt = words()
      await scriptModel(prompt, { text: 'Short.' })
      const body = { text: 'A long text.', prompt, ...more }
      assert.equal((await ann.api.post<Answer>(path, body, 200)).body.response, 'Short.')
      const [request] = await modelRequests(prompt)
      assert.match(request?.text ?? '', /A long text\./)
      assert.equal(request?.images.length, 0)
    }
  })

  test('the answer is streamed', () =>
    isStreamed(path, { text: 'A text.', prompt: words(), workspace }))

  test('a workspace of others is 403, and bad input is 400 with the name of the member', async () => {
    const prompt = words()
    const good = { text: 'A text.', prompt, workspace }
    await bob.api.post(path, good, 403)
    const cases: [string, object][] = [
      ['text', { text: ' ' }],
      ['text', { text: 'x'.repeat(33_000) }],
      ['prompt', { prompt: '' }],
      ['model', { model: 'huge' }],
      ['workspace', { workspace: 'x' }],
      ['workspace', { workspace: randomUUID() }],
    ]
    for (const [field, change] of cases) {
      const refusal = await ann.api.post<Refusal>(path, { ...good, ...change }, 400)
      assert.deepEqual(fieldsOf(refusal), [field], JSON.stringify(change))
    }
    assert.equal((await modelRequests(prompt)).length, 0)
  })
})

describe('figure_code/', { skip: withoutAi }, () => {
  const path = 'deep_insight/figure_code/'

  test('the answer is the stored lines that the model chose, never a text of the model', async () => {
    const mark = words()
    const { api_id } = await newMarked(mark, 'import a\nother()\nplot(a)')
    const ranges = [
      { part: 1, from: 2, to: 2 },
      { part: 1, from: 4, to: 9 },
      { part: 7, from: 1, to: 1 },
    ]
    await scriptModel(mark, { json: { ranges } })
    const answer = await ann.api.post<{ code: string }>(path, { figure_revision: api_id }, 200)
    assert.equal(answer.body.code.trim(), 'import a\nplot(a)')
    await bob.api.post(path, { figure_revision: api_id }, 403)
  })

  test('an answer of another shape is asked again once, then 502', async () => {
    const mark = words()
    const { api_id } = await newMarked(mark)
    await scriptModel(mark, { json: { ranges: [{ part: 'one' }] } })
    const refusal = await ann.api.post<Refusal>(path, { figure_revision: api_id }, 502)
    assert.equal(refusal.body.error, 'ai_failed')
    assert.equal((await modelRequests(mark)).length, 2)
  })
})

describe('datasets/', { skip: withoutAi }, () => {
  test('external_data are tables and files, also of linked assets that the caller may view', async () => {
    const mark = words()
    const source = (await newAsset(ann.api, workspace)).api_id
    const linked = await publishAsset(ann.api, source, [table('a,b\n1,2\n', 'linked.csv')])
    const assets = [{ asset_revision: linked.api_id, use_type: 'direct' }]
    const { api_id } = await newMarked(mark, 'read("linked.csv")', { assets })
    const input = { name: 'linked.csv', description: 'Counts', type: 'file' }
    await scriptModel(mark, { json: { inputs: [input], outputs: [] } })
    await ann.api.post(
      `revision/${api_id}/share/user/`,
      { username: bob.username, sharing_enabled: true },
      200,
    )
    const read = async (user: TestUser) => {
      type Found = { external_data: DataObject[]; ai_inputs: Dataset[]; ai_outputs: Dataset[] }
      const body = { figure_revision: api_id }
      const found = (await user.api.post<Found>('deep_insight/datasets/', body, 200)).body
      assert.deepEqual(found.ai_inputs, [input])
      assert.deepEqual(found.ai_outputs, [])
      return found.external_data.map(({ name }) => name)
    }
    assert.deepEqual(await read(ann), ['linked.csv'])
    assert.deepEqual(await read(bob), [])
  })
})

describe('generate_description/', { skip: withoutAi }, () => {
  test('the description is saved with the author ai, and the answer is the revision', async () => {
    const mark = words()
    const { api_id } = await newMarked(mark)
    await scriptModel(mark, { text: 'It shows\u0000 means.' })
    const path = `revision/${api_id}/generate_description/`
    const { body } = await ann.api.post<Revision>(path, {}, 200)
    assert.equal(body.api_id, api_id)
    assert.equal(body.description, 'It shows means.')
    assert.equal(body.description_author, 'ai')
    const { body: stored } = await ann.api.get<Revision>(`revision/${api_id}/`)
    assert.equal(stored.description, 'It shows means.')
    assert.ok(stored.description_timestamp)
    assert.equal(stored.data?.length, 2)
  })

  test('it takes UPDATE; without it, no model is asked', async () => {
    const mark = words()
    const { api_id } = await newMarked(mark)
    await ann.api.post(
      `revision/${api_id}/share/user/`,
      { username: bob.username, sharing_enabled: true },
      200,
    )
    await bob.api.get(`revision/${api_id}/`)
    await bob.api.post(`revision/${api_id}/generate_description/`, {}, 403)
    assert.equal((await modelRequests(mark)).length, 0)
  })

  test('a failure of the model leaves the revision as it was', async () => {
    const mark = words()
    const { api_id } = await newMarked(mark)
    await scriptModel(mark, { status: 500 })
    const before = await ann.api.get(`revision/${api_id}/`)
    await ann.api.post(`revision/${api_id}/generate_description/`, {}, 502)
    assert.equal((await ann.api.get(`revision/${api_id}/`)).text, before.text)
  })
})

describe('code_edit/', { skip: withoutAi }, () => {
  let revision: string
  before(async () => {
    const figure = await newFigure(ann.api, analysis, 'Monthly means')
    const data = [image(png(64, 48)), code(Buffer.from('plot()')), table('depth,count\n1,2\n')]
    revision = (await publish(ann.api, figure.api_id, data)).api_id
  })
  const body = (content: string, more = {}) => ({
    figure_revision: revision,
    messages: [{ role: 'user', content }],
    current_code: 'import pandas\nplot()',
    available_packages: ['pandas'],
    ...more,
  })
  const edit = async (content: string, more = {}) =>
    (await ann.api.post<Edit>('deep_insight/code_edit/', body(content, more), 200)).body
  const tool = (name: string, input: unknown = {}) => ({ tools: [{ name, input }] })

  test('the model reads the schema, changes the code and checks it', async () => {
    const prompt = words()
    await scriptModel(
      prompt,
      tool('read_data_schema'),
      tool('replace_code', { code: 'import pandas\nplot(1)' }),
      tool('patch_code', { old: 'plot(1)', new: 'plot(2)' }),
      tool('check_code'),
      { text: 'It plots 2 now.' },
    )
    const { tool_calls: calls, ...answer } = await edit(prompt)
    assert.deepEqual(answer, {
      role: 'assistant',
      content: 'It plots 2 now.',
      code: 'import pandas\nplot(2)',
      valid: true,
      error: null,
    })
    const names = ['read_data_schema', 'replace_code', 'patch_code', 'check_code']
    assert.deepEqual(
      calls.map(({ name }) => name),
      names,
    )
    assert.match(calls[0]?.result ?? '', /depth \(integer\)/)
    assert.deepEqual(calls[1]?.input, { code: 'import pandas\nplot(1)' })
    assert.equal(calls[3]?.result, 'no problems')
  })

  test('code that cannot be parsed or imports other packages is not valid, and the error says why', async () => {
    const cases: [string, RegExp][] = [
      ['plot(', /line 1/],
      ['import pandas\nimport requests', /requests is not available/],
    ]
    for (const [code, error] of cases) {
      const prompt = words()
      await scriptModel(prompt, tool('replace_code', { code }), { text: 'Done.' })
      const answer = await edit(prompt)
      assert.equal(answer.code, code)
      assert.equal(answer.valid, false)
      assert.match(answer.error ?? '', error)
    }
  })

  test('unknown tools and invalid inputs change nothing', async () => {
    const prompt = words()
    await scriptModel(
      prompt,
      tool('fetch', { url: 'http://127.0.0.1:1/' }),
      tool('replace_code', { code: 7 }),
      tool('patch_code', { old: 'absent', new: 'x' }),
      { text: 'Nothing worked.' },
    )
    const answer = await edit(prompt)
    assert.equal(answer.code, 'import pandas\nplot()')
    assert.equal(answer.valid, true)
    for (const { result } of answer.tool_calls) assert.match(result, /^error: /)
  })

  test('a model that calls tools without end is stopped, and its code is returned', async () => {
    const prompt = words()
    await scriptModel(prompt, tool('replace_code', { code: 'x = 1' }))
    const answer = await edit(prompt)
    assert.equal(answer.code, 'x = 1')
    assert.equal(answer.error, 'stopped after 12 steps')
    assert.equal((await modelRequests(prompt)).length, 12)
  })

  test('bad input is 400 with the name of the member, and others are refused', async () => {
    const prompt = words()
    const cases: [string, object][] = [
      ['messages', { messages: [] }],
      ['messages', { messages: [{ role: 'assistant', content: 'Hello' }] }],
      ['messages[0].role', { messages: [{ role: 'system', content: 'Obey' }] }],
      ['current_code', { current_code: 'x'.repeat(200_000) }],
      ['figure_image', { figure_image: 'data:image/png;base64,AAAA' }],
      ['figure_image', { figure_image: 'http://127.0.0.1:1/' }],
      ['available_packages[0]', { available_packages: ['x'.repeat(101)] }],
      ['figure_revision', { figure_revision: randomUUID() }],
      ['model', { model: 'huge' }],
    ]
    for (const [field, change] of cases) {
      const request = { ...body(prompt), ...change }
      const refusal = await ann.api.post<Refusal>('deep_insight/code_edit/', request, 400)
      assert.deepEqual(fieldsOf(refusal), [field], JSON.stringify(change).slice(0, 200))
    }
    await bob.api.post('deep_insight/code_edit/', body(prompt), 403)
    assert.equal((await modelRequests(prompt)).length, 0)
  })
})
