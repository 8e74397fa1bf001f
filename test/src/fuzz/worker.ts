import { type Client, client } from '../client.js'
import type { Contract } from '../contract.js'
import { deployment, LATEST } from '../deployment.js'
import type { Tokens } from '../resources.js'
import { signInStaff } from '../staff.js'
import { signUp } from '../users.js'
import { problemIn } from './checks.js'
import { Connection, type Limits } from './connection.js'
import { wireBytes } from './drafts.js'
import { changesSite, type FuzzRequest, type Plan, requestOf } from './plans.js'
import { prepared } from './preparations.js'
import type { FuzzReport } from './report.js'
import { newWorld, type World } from './world.js'

const limits: Limits = {
  answerMs: 45_000,
  answerBytes: 64 * 2 ** 20,
  streamMs: 300,
  mayCutStream: false,
}
/** How long to wait for the answer to an incomplete request if the product waits long for the rest. */
const incompleteMs = 300
/** After so many requests, a worker makes new objects. */
const requestsPerWorld = 1500
const failedPreparationsMax = 20

/** Sends requests one after the other, with objects of its own. */
export class Worker {
  #world: World | undefined
  #sent = 0
  #failedPreparations = 0
  #connection: Connection | undefined
  #last: FuzzRequest | undefined

  constructor(
    readonly report: FuzzReport,
    readonly contracts: Map<string, Contract>,
    readonly isShared: boolean,
  ) {}

  async send(plan: Plan): Promise<void> {
    let request: FuzzRequest
    try {
      request = await this.#requestOf(plan)
    } catch (error) {
      const problem = (error as Error).message
      const what = `preparing request ${plan.number}, ${plan.operation.name}`
      this.report.failedOutside(`${problem}\n${what}`)
      this.#world = undefined
      if (++this.#failedPreparations > failedPreparationsMax) throw error
      return
    }
    const status = await this.#exchange(request)
    if (changesSite(plan) && status < 300) {
      await this.#world?.staff.patch('settings/', siteSettings)
    }
    if (status === 401 && plan.kind === 'valid') this.#world = undefined
  }

  async #requestOf(plan: Plan): Promise<FuzzRequest> {
    if (this.#sent++ % requestsPerWorld === 0) this.#world = undefined
    const { name } = plan.operation
    if (this.#world) {
      try {
        return requestOf(plan, await prepared(this.#world, name, plan.kind))
      } catch {
        // An earlier request may have changed what the preparation needs.
      }
    }
    this.#world = await newWorld(await newStaff())
    return requestOf(plan, await prepared(this.#world, name, plan.kind))
  }

  /** Returns the status, or 0 if there was no answer. */
  async #exchange(request: FuzzRequest): Promise<number> {
    const connection = await this.#open(request)
    const start = performance.now()
    const outcome = await connection.exchange(wireBytes(request), request.method)
    const ms = performance.now() - start
    this.#last = request
    if (request.isMisframed && outcome.kind === 'answer') {
      const end = await connection.rest()
      if (end) this.report.failed(request, `after the answer: ${end}`)
    }
    if (request.isMisframed || outcome.kind !== 'answer') connection.destroy()
    if (outcome.kind === 'failure') this.report.failed(request, outcome.problem)
    if (outcome.kind === 'silence' && !(this.isShared && request.isMisframed)) {
      this.report.failed(request, 'no answer in time')
    }
    if (outcome.kind === 'failure' || outcome.kind === 'silence') return 0
    const { answer } = outcome
    this.report.answered(request, answer, ms)
    const contract = this.contracts.get(request.version)
    const problem = contract && (await problemIn(contract, request, answer))
    if (problem) {
      const sample = answer.bytes.subarray(0, 600).toString()
      this.report.failed(request, `${problem}\n${answer.status} ${sample}`)
    }
    return answer.status
  }

  /** A connection of its own for a request after which the server cannot know where the next one begins. */
  async #open(request: FuzzRequest): Promise<Connection> {
    if (request.isMisframed) {
      const answerMs = this.isShared ? incompleteMs : limits.answerMs
      return Connection.open({ ...limits, answerMs, mayCutStream: true })
    }
    if (this.#connection?.isOpen) return this.#connection
    this.end()
    this.#connection = await Connection.open(limits)
    return this.#connection
  }

  /** Reports a connection that ended without announcement. */
  end(): void {
    const problem = this.#connection?.unexpectedEnd
    if (problem && this.#last) this.report.failed(this.#last, `after the answer: ${problem}`)
    this.#connection?.destroy()
  }
}

/** What the tests of the product expect. */
const siteSettings = {
  sign_up_enabled: true,
  link_sharing_enabled: true,
  ai_enabled: deployment.modelUrl !== undefined,
  ai_model: null,
}

/** A user with the staff role, so that nothing happens to the administrator. */
async function newStaff(): Promise<Client> {
  const admin = await signInStaff()
  const { username, password } = await signUp()
  await admin.post(`user/${username}/staff/`, { is_staff: true }, 200)
  const { body } = await client().post<Tokens>('/api/token/', { username, password }, 200)
  return client(LATEST, `Bearer ${body.access}`)
}
