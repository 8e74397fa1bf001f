import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@figbase/kit/testing'
import type { ModelServer } from '@figbase/stories-ai/testing/model-server'
import { until } from '../launched.js'
import { Asker } from './asker.js'
import { newAsk } from './asks.js'
import { Orphans } from './orphans.js'
import { newAnalysis, newFigure } from './place.js'
import type { AiProduct } from './product.js'

type Size = { askers: number; asks: number; kills: number; seed: number }

/** In this time after it became due, a kill happens; a slow answer takes longer. */
const killWithinMs = 4000

/** Users who ask until all requests are sent, while the process with the ledger is killed and started again. */
export class Run {
  readonly askers: Asker[]
  readonly orphans: Orphans
  readonly #random: () => number
  #left: number
  #kills = 0
  #isKillDue = false
  #busy = 0
  #isStopped = false
  #gate = Promise.resolve()
  #open = () => {}

  constructor(
    readonly product: AiProduct,
    readonly model: ModelServer,
    readonly size: Size,
  ) {
    this.#random = seededRandom(size.seed)
    this.orphans = new Orphans(product)
    this.#left = size.asks
    this.askers = Array.from({ length: size.askers }, (_, n) => new Asker(product, n))
    model.always((request) => {
      const asker = this.askers.find(({ marker }) => request.text.includes(marker))
      if (!asker) throw new Error(`nobody asked ${request.text.slice(0, 200)}`)
      return asker.reply(request)
    })
  }

  /** The users, their figures, and a figure for each of them in the workspace of the first one. */
  async prepare(): Promise<void> {
    const [first] = this.askers
    if (!first) throw new Error('there are no users')
    await Promise.all(this.askers.map((asker) => asker.signUp()))
    const shared = await newAnalysis(first.post)
    await Promise.all(
      this.askers.map(async (asker) => {
        const { username, post, marker } = asker
        const own = await newFigure(post, `${marker} own`, await newAnalysis(post))
        const reader = asker === first ? undefined : username
        const common = await newFigure(first.post, `${marker} common`, shared, reader)
        asker.place = { own, common }
      }),
    )
  }

  async run(): Promise<void> {
    const working = Promise.all(this.askers.map((asker, n) => this.#work(asker, n % 2 === 0)))
    try {
      for (let kill = 1; kill <= this.size.kills; kill++) {
        const left = this.size.asks * (1 - kill / (this.size.kills + 1))
        while (this.#left > left) await sleep(10)
        await this.#killAndStart()
      }
      await working
    } finally {
      this.#isStopped = true
      this.#open()
    }
  }

  async #work(asker: Asker, isPatient: boolean): Promise<void> {
    for (;;) {
      await this.#gate
      if (this.#isStopped || (this.#left === 0 && !this.#isKillDue)) return
      if (this.#left > 0) this.#left--
      const { place } = asker
      if (!place) throw new Error('the user has no figures')
      const isSlow = isPatient && this.#isKillDue
      const kills = this.#kills
      this.#busy++
      await asker.send(
        newAsk(this.#random, place, isSlow ? 'slow' : undefined),
        () => this.#kills > kills,
      )
      this.#busy--
    }
  }

  /** Kills the process while some slow answers are running, and finds out which requests it did not settle. */
  async #killAndStart(): Promise<void> {
    this.#isKillDue = true
    const isSlowOpen = ({ sent }: Asker) => {
      const last = sent.at(-1)
      return last?.ask.kind === 'slow' && this.model.outcomeOf(last.request) === undefined
    }
    await until(() => this.askers.some(isSlowOpen), 'a slow answer')
    await sleep(this.#random() * killWithinMs)
    this.#gate = new Promise((resolve) => {
      this.#open = resolve
    })
    this.#kills++
    await this.product.kill()
    await until(() => this.#busy === 0, 'the requests of the killed process to end')
    await until(() => this.model.openRequests === 0, 'its requests to the model to end')
    await this.product.start()
    await this.orphans.find(this.askers)
    this.#isKillDue = false
    this.#open()
  }
}
