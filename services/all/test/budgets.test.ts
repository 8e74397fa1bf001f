import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CountedProduct, startCountedProduct } from './budgets/counted-product.js'
import { file, operationsOf, type Place, picture, Visitor } from './budgets/operations.js'
import type { Statement } from './budgets/statement-log.js'
import { type Budget, budgets, idleStatementsPerSecondMax } from './budgets/table.js'
import { until } from './launched.js'

const roundsMax = 10
// Long enough that what rests longer each time rests as long as it does.
const settlingMs = 60_000
const idleMs = 20_000
const idleWindowsMax = 3

/** What time alone causes, however many requests there are; the test of an idle product counts it. */
const periodic = [
  /as someone_died/,
  /join pg_locks/,
  /delete from node_delta/,
  /as due_in_ms/,
  /^select epoch::text(, array\(| from bus.state$)/,
]

let product: CountedProduct
let ann: Visitor
let place: Place

before(async () => {
  product = await startCountedProduct()
  ann = await new Visitor(product.url).signUp('ann')
  await new Visitor(product.url).signUp('bob')
  place = await makePlace()
})
after(() => product[Symbol.asyncDispose]())

async function makePlace(): Promise<Place> {
  const { api_id: workspace } = await ann.json('POST', 'workspace/', { name: 'Climate' })
  const inside = async (name: string) =>
    (await ann.json('POST', 'analysis/', { name, workspace })).api_id
  const [analysis, other] = [await inside('Temperatures'), await inside('Rain')]
  const figures = []
  for (let n = 0; n < 100; n++) figures.push((await ann.newFigure(other)).api_id)
  const [figure = ''] = figures
  for (let n = 0; n < 10; n++) await ann.publish(figure, [await picture(), file()])
  await settled()
  return { workspace, analysis, other, figure }
}

/** Until all events and jobs are handled, and what follows their end is done. */
async function settled() {
  await until(async () => (await product.waiting()) === 0, 'events and jobs')
  await sleep(150)
  await until(async () => (await product.waiting()) === 0, 'events and jobs')
}

const keys = ['before', 'inAll', 'calls', 'events', 'objects'] as const

const isCounted = ({ application, text }: Statement) =>
  !application.endsWith(' probes') && !periodic.some((statement) => statement.test(text.trim()))
/** Events and jobs may begin before the answer is there: what a service runs after it claimed a job is the job's. */
function ofRequest(statements: Statement[]): Statement[] {
  const claimed = new Set<string>()
  return statements.filter(({ application }) => {
    if (application.endsWith(' jobs')) claimed.add(application.slice(0, -' jobs'.length))
    return !/ (events|jobs|bus|listens)$/.test(application) && !claimed.has(application)
  })
}

async function cost(operate: () => Promise<unknown>) {
  await settled()
  await product.read()
  const start = await product.counters()
  await operate()
  const before = (await product.read()).filter(isCounted)
  await settled()
  const rest = (await product.read()).filter(isCounted)
  const end = await product.counters()
  const texts = { before: ofRequest(before), inAll: [...before, ...rest] }
  const counted: Budget = {
    before: texts.before.length,
    inAll: texts.inAll.length,
    calls: end.calls - start.calls,
    events: end.events - start.events,
    objects: end.objects - start.objects,
  }
  return { counted, texts }
}

const line = ({ application, text }: Statement) =>
  `    ${application}: ${text
    .replace(/-- prepared|\s+/g, ' ')
    .trim()
    .slice(0, 150)}`

const isWithin = (counted: Budget, budget: Budget) =>
  keys.every((key) => counted[key] <= budget[key])

const leastOf = (one: Budget, other: Budget): Budget => ({
  before: Math.min(one.before, other.before),
  inAll: Math.min(one.inAll, other.inAll),
  calls: Math.min(one.calls, other.calls),
  events: Math.min(one.events, other.events),
  objects: Math.min(one.objects, other.objects),
})

type Texts = Awaited<ReturnType<typeof cost>>['texts']

function explain(name: string, counted: Budget, texts: Texts) {
  return [
    `${name} costs ${JSON.stringify(counted)}, and budgets/table.ts allows ${JSON.stringify(budgets[name])}`,
    '  before the answer:',
    ...texts.before.map(line),
    '  in all:',
    ...texts.inAll.map(line),
  ].join('\n')
}

describe('the budget of each main operation', () => {
  for (const name of Object.keys(operationsOf(new Visitor(''), {} as Place))) {
    test(name, async (t) => {
      const prepare = operationsOf(ann, place)[name] ?? assert.fail()
      await (await prepare())()
      const budget = budgets[name] ?? assert.fail(`${name} has no budget`)
      let run = await cost(await prepare())
      let least = run.counted
      // What else goes on at the same time adds to some of the rounds: jobs that begin before the answer, too.
      for (let round = 1; round < roundsMax && !isWithin(least, budget); round++) {
        run = await cost(await prepare())
        least = leastOf(least, run.counted)
      }
      t.diagnostic(`${name}: ${JSON.stringify(least)}`)
      assert.ok(isWithin(least, budget), explain(name, least, run.texts))
    })
  }
})

test('an idle product asks PostgreSQL once a second at most', async (t) => {
  await settled()
  await sleep(settlingMs)
  for (let window = 1; ; window++) {
    await product.read()
    await sleep(idleMs)
    const statements = await product.read()
    const aSecond = statements.length / (idleMs / 1000)
    t.diagnostic(`${aSecond} statements a second`)
    if (aSecond <= idleStatementsPerSecondMax) return
    // A job of the hour may have run.
    assert.ok(window < idleWindowsMax, statements.map(line).join('\n'))
  }
})
