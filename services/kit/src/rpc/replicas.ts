import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { CallSettings } from './call-settings.js'
import type { ReplicaAddress } from './connection.js'
import { Replica } from './replica.js'

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const lookUpAll: Resolve = (host) => lookup(host, { all: true })

/** After failed connections, at most so often. */
const resolveAgainMs = 1000

/** The replicas behind the URLs of a neighbour, of which each host may have several addresses. */
export class Replicas implements Disposable {
  readonly #urls: string[]
  readonly #settings: CallSettings
  readonly #resolve: Resolve
  #known = new Map<string, Replica>()
  #addresses = new Map<string, ReplicaAddress[]>()
  #resolvedAt = Number.NEGATIVE_INFINITY
  #resolving: Promise<void> | undefined
  #turn = -1

  constructor(urls: string[], settings: CallSettings, resolve: Resolve = lookUpAll) {
    this.#urls = urls
    this.#settings = settings
    this.#resolve = resolve
  }

  /** Looks addresses up when it is time to. A promise while none is known, which may reject. */
  ready(): Promise<void> | undefined {
    if (this.#known.size === 0) return this.#refresh()
    this.#refreshAfter(this.#settings.resolveIntervalMs)
    return undefined
  }

  /**
   * In turn, of those that are well; when none is, the one that was tried longest ago. Only when all
   * others are unreachable, one that lost the call already. Undefined: all are unreachable.
   */
  pick(unreachable: Set<Replica>, lossy: Set<Replica>): Replica | undefined {
    const all = [...this.#known.values()].filter((replica) => !unreachable.has(replica))
    const untried = all.filter((replica) => !lossy.has(replica))
    const among = untried.length > 0 ? untried : all
    const now = performance.now()
    const usable = among.filter((replica) => replica.isUsable(now))
    if (unreachable.size + lossy.size === 0) this.#turn++
    if (usable.length > 0) return usable[this.#turn % usable.length]
    return among.sort((a, b) => a.triedAt - b.triedAt)[0]
  }

  /** A connection failed: replicas may have moved. */
  suspect(): void {
    this.#refreshAfter(resolveAgainMs)
  }

  #refreshAfter(ms: number) {
    if (performance.now() - this.#resolvedAt >= ms) void this.#refresh().catch(() => {})
  }

  #refresh(): Promise<void> {
    this.#resolving ??= this.#lookUp().finally(() => {
      this.#resolving = undefined
    })
    return this.#resolving
  }

  /** A host that cannot be looked up now keeps the addresses that it had. */
  async #lookUp(): Promise<void> {
    const problems: unknown[] = []
    await Promise.all(
      this.#urls.map(async (url) => {
        try {
          this.#addresses.set(url, await this.#addressesOf(url))
        } catch (error) {
          problems.push(error)
        }
      }),
    )
    this.#resolvedAt = performance.now()
    this.#adopt([...this.#addresses.values()].flat())
    if (this.#known.size === 0) throw problems[0] ?? new Error('the host has no address')
  }

  async #addressesOf(url: string): Promise<ReplicaAddress[]> {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    const family = isIP(host)
    const found = family ? [{ address: host, family }] : await this.#resolve(host)
    return found.map(({ address, family }) => ({ url, ip: address, family }))
  }

  #adopt(addresses: ReplicaAddress[]) {
    const before = this.#known
    this.#known = new Map()
    for (const address of addresses) {
      const key = `${address.url} ${address.ip}`
      this.#known.set(key, before.get(key) ?? new Replica(address, this.#settings))
    }
    for (const [key, replica] of before) if (!this.#known.has(key)) replica.retire()
  }

  [Symbol.dispose]() {
    for (const replica of this.#known.values()) replica[Symbol.dispose]()
  }
}
