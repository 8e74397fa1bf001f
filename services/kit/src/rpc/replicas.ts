import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { CallSettings } from './call-settings.js'
import type { ReplicaAddress } from './connection.js'
import { Replica } from './replica.js'

/** Resolves all addresses of a host. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const lookUpAll: Resolve = (host) => lookup(host, { all: true })

/** Minimum interval of lookups after failed connections. */
const resolveAgainMs = 1000

/** The replicas of a peer: all addresses of the hosts of its URLs. */
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

  /** Refreshes the addresses if due. Returns a promise, which may reject, only while none is known. */
  ready(): Promise<void> | undefined {
    if (this.#known.size === 0) return this.#refresh()
    this.#refreshAfter(this.#settings.resolveIntervalMs)
    return undefined
  }

  /**
   * Picks an available replica, round robin; if none is available, the least recently used one. A replica that already
   * failed to respond to the call is only used if there is no other. Undefined if none can be connected.
   */
  pick(notConnected: Set<Replica>, withoutResponse: Set<Replica>): Replica | undefined {
    const all = [...this.#known.values()].filter((replica) => !notConnected.has(replica))
    const untried = all.filter((replica) => !withoutResponse.has(replica))
    const candidates = untried.length > 0 ? untried : all
    const now = performance.now()
    const available = candidates.filter((replica) => replica.isAvailable(now))
    if (notConnected.size + withoutResponse.size === 0) this.#turn++
    if (available.length > 0) return available[this.#turn % available.length]
    return candidates.sort((a, b) => a.lastUsedAt - b.lastUsedAt)[0]
  }

  /** Refreshes soon after a failed connection, because replicas may have moved. */
  refreshSoon(): void {
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

  /** Looks up all hosts; a host that fails keeps its previous addresses. */
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
    if (this.#known.size === 0) throw problems[0] ?? new Error('host has no address')
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
