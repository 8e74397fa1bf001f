import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CountedProduct, startCountedProduct } from './support/budgets/counted-product.js'
import { Browser, file, operationsOf, type Place, picture } from './support/budgets/operations.js'
import { line, type Statement } from './support/budgets/statement-log.js'
import { type Budget, budgets } from './support/budgets/table.js'

const roundsMax = 10

/** Periodic statements, which do not depend on requests; the idle test counts these. */
const periodic = [
  /as someone_died/,
  /join pg_locks/,
  /delete from node_delta/,
  /as due_in_ms/,
  /^select epoch::text(, array\(| from bus.state$)/,
  // One page in each second reads the settings of the site.
  /from site_settings s$/,
]

let product: CountedProduct
let ann: Browser
let place: Place

before(async () => {
  product = await startCountedProduct()
  ann = await new Browser(product.url).signUp('ann')
  await new Browser(product.url).signUp('bob')
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
  const told = []
  for (let n = 0; n < 10; n++) {
    told.push((await ann.publish(figure, [await picture(), file()])).api_id)
  }
  await product.settled()
  return { workspace, analysis, other, figure, told }
}

const keys = ['before', 'total', 'calls', 'events', 'objects'] as const

const isCounted = ({ application, text }: Statement) =>
  !application.endsWith(' probes') && !periodic.some((statement) => statement.test(text.trim()))
/** The connections that look for events and jobs, by application name. */
const dispatchers = / (events|jobs|bus|listens)$/
/** Services that no operation of the table calls: they do only work of the background. */
const background = /^figbase (search|tasks)$/
/** Events and jobs may begin before the response: statements of a service after it claimed a job belong to the job. */
function ofRequest(statements: Statement[]): Statement[] {
  const claimed = new Set<string>()
  return statements.filter(({ application }) => {
    if (application.endsWith(' jobs')) claimed.add(application.slice(0, -' jobs'.length))
    if (background.test(application) || dispatchers.test(application)) return false
    return !claimed.has(application)
  })
}

/** How often a dispatcher looks for work depends on the speed of the machine: each of its statements counts once. */
function withoutRepeatedDispatch(statements: Statement[]): Statement[] {
  const seen = new Set<string>()
  return statements.filter(({ application, text }) => {
    if (!dispatchers.test(application)) return true
    const key = `${application}: ${text}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

async function cost(operate: () => Promise<unknown>) {
  await product.settled()
  await product.read()
  const start = await product.counters()
  await operate()
  const before = (await product.read()).filter(isCounted)
  await product.settled()
  const rest = (await product.read()).filter(isCounted)
  const end = await product.counters()
  const texts = {
    before: ofRequest(before),
    total: withoutRepeatedDispatch([...before, ...rest]),
  }
  const counted: Budget = {
    before: texts.before.length,
    total: texts.total.length,
    calls: end.calls - start.calls,
    events: end.events - start.events,
    objects: end.objects - start.objects,
  }
  return { counted, texts }
}

const isWithin = (counted: Budget, budget: Budget) =>
  keys.every((key) => counted[key] <= budget[key])

const leastOf = (one: Budget, other: Budget): Budget => ({
  before: Math.min(one.before, other.before),
  total: Math.min(one.total, other.total),
  calls: Math.min(one.calls, other.calls),
  events: Math.min(one.events, other.events),
  objects: Math.min(one.objects, other.objects),
})

type Texts = Awaited<ReturnType<typeof cost>>['texts']

function explain(name: string, counted: Budget, texts: Texts) {
  return [
    `${name} costs ${JSON.stringify(counted)}, and support/budgets/table.ts allows ${JSON.stringify(budgets[name])}`,
    '  before the response:',
    ...texts.before.map(line),
    '  in total:',
    ...texts.total.map(line),
  ].join('\n')
}

describe('budget of each main operation', () => {
  for (const name of Object.keys(operationsOf(new Browser(''), {} as Place))) {
    test(name, async (t) => {
      const prepare = operationsOf(ann, place)[name] ?? assert.fail()
      await (await prepare())()
      const budget = budgets[name] ?? assert.fail(`${name} has no budget`)
      let run = await cost(await prepare())
      let least = run.counted
      // Background work adds to some of the rounds, so that the minimum of several counts.
      for (let round = 1; round < roundsMax && !isWithin(least, budget); round++) {
        run = await cost(await prepare())
        least = leastOf(least, run.counted)
      }
      t.diagnostic(`${name}: ${JSON.stringify(least)}`)
      assert.ok(isWithin(least, budget), explain(name, least, run.texts))
    })
  }
})
