import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, type HandlerContext } from '@connectrpc/connect'
import { failure } from '@figbase/kit/errors'
import { newId } from '@figbase/kit/ids'
import { SiteService } from '@figbase/proto/identity/site'
import { type ChooseFigureRequest, InsightService } from '@figbase/proto/insight'
import { TaskStatus } from '@figbase/proto/tasks'
import sharp from 'sharp'
import { assign, ended, figure, start } from './assignments.js'
import { image, processed, publish, until } from './service.js'

type Choose = (request: ChooseFigureRequest, call: HandlerContext) => Promise<{ figureId: string }>

/** AI is on, and a stand-in of stories-ai chooses. */
async function startWith(
  choose: Choose,
  { aiEnabled = true, env = {} }: { aiEnabled?: boolean; env?: Record<string, string> } = {},
) {
  const requests: ChooseFigureRequest[] = []
  const assigning = await start({
    env,
    others: (router) =>
      router
        .service(SiteService, { getPublicSettings: () => ({ aiEnabled, aiModel: 'small' }) })
        .service(InsightService, {
          chooseFigure(request, call) {
            requests.push(request)
            return choose(request, call)
          },
        }),
  })
  return { ...assigning, requests }
}

const idOf = ({ candidates }: ChooseFigureRequest, wanted: string) =>
  candidates.find(({ name }) => name === wanted)?.id ?? ''

const untilAborted = ({ signal }: HandlerContext) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

test('the model chooses before names do, among figures in which the user may create revisions', async () => {
  const at = await startWith(async (request) => ({ figureId: idOf(request, 'Yearly sums') }))
  await using bench = at.bench
  figure(bench, at.analysis, 'Known')
  const target = figure(bench, at.analysis, 'Yearly sums')
  figure(bench, at.analysis, 'of bob', 'bob')
  const png = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { id } = await assign(bench, at.analysis, { ...image(png), name: 'Known' })
  assert.equal((await ended(bench, id)).parentId, target)
  const [request, ...more] = at.requests
  assert.equal(more.length, 0)
  assert.equal(request?.revisionId, id)
  assert.match(request?.taskId ?? '', /^[0-9a-f-]{36}$/)
  const { width, format } = await sharp(request?.picture).metadata()
  assert.deepEqual([width, format], [20, 'png'])
  // Not the figure of bob, and not the temporary one.
  const names = request?.candidates.map(({ name }) => name)
  assert.deepEqual(names, ['Yearly sums', 'Known'])
})

const refusing = (code: Code, error: string) => () =>
  Promise.reject(failure(code, error, 'not now'))

const without: Record<string, Choose> = {
  'chooses none': async () => ({ figureId: '' }),
  'names no candidate': async () => ({ figureId: newId() }),
  'is off': refusing(Code.Unavailable, 'ai_disabled'),
  fails: refusing(Code.Aborted, 'ai_failed'),
  'is overloaded': refusing(Code.Unavailable, 'ai_overloaded'),
  'has no quota': refusing(Code.ResourceExhausted, 'ai_quota_exceeded'),
  'cannot be reached': refusing(Code.Unavailable, 'unavailable'),
  'may not be used': refusing(Code.PermissionDenied, 'permission_denied'),
  'takes too long': (_, call) => untilAborted(call),
}

for (const [what, choose] of Object.entries(without)) {
  test(`if the model ${what}, the name decides`, async () => {
    const at = await startWith(choose, { env: { AUTO_ASSIGN_AI_TIMEOUT: '200ms' } })
    await using bench = at.bench
    const target = figure(bench, at.analysis)
    const { id } = await assign(bench, at.analysis)
    assert.equal((await ended(bench, id)).parentId, target)
    await until(async () => at.outcomes.length > 0)
    assert.deepEqual(at.outcomes, [TaskStatus.SUCCESS])
    assert.equal(at.requests.length, 1)
  })
}

test('no model is asked if AI is off, or if there are no candidates', async () => {
  const choose = async () => ({ figureId: '' })
  const cases = [
    await startWith(choose, { aiEnabled: false }),
    await startWith(choose, { env: { AUTO_ASSIGN_AI_CANDIDATES_MAX: '0' } }),
  ]
  for (const at of cases) {
    await using bench = at.bench
    const target = figure(bench, at.analysis)
    const { id } = await assign(bench, at.analysis)
    assert.equal((await ended(bench, id)).parentId, target)
    assert.equal(at.requests.length, 0)
  }
})

test('only the newest candidates are sent', async () => {
  const env = { AUTO_ASSIGN_AI_CANDIDATES_MAX: '2' }
  const at = await startWith(async () => ({ figureId: '' }), { env })
  await using bench = at.bench
  for (const name of ['one', 'two', 'three']) figure(bench, at.analysis, name)
  await ended(bench, (await assign(bench, at.analysis)).id)
  const names = at.requests[0]?.candidates.map(({ name }) => name)
  assert.deepEqual(names, ['three', 'two'])
})

test('tasks that wait for the model do not delay the processing of other revisions', async () => {
  const at = await startWith((_, call) => untilAborted(call))
  await using bench = at.bench
  figure(bench, at.analysis)
  for (let n = 1; n <= 4; n++) await assign(bench, at.analysis)
  await until(async () => at.requests.length === 4)
  const { id } = await publish(bench, [])
  await processed(bench, id)
})

test('cancelling the task ends the request, and the revision keeps its figure', async () => {
  let hasEnded = false
  const at = await startWith((_, call) =>
    untilAborted(call).finally(() => {
      hasEnded = true
    }),
  )
  await using bench = at.bench
  figure(bench, at.analysis)
  const { id, parentId } = await assign(bench, at.analysis)
  await until(async () => at.requests.length > 0)
  at.cancel()
  assert.equal((await ended(bench, id)).parentId, parentId)
  assert.ok(hasEnded)
})
