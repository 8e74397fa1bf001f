import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '@figbase/gateway'
import { freePort } from '@figbase/kit/net'
import { createFileSystemStore } from '@figbase/kit/objects'
import { compose, Lifecycle } from '@figbase/kit/service'
import { services } from '../../src/all-in-one.js'
import { until } from './launched.js'
import { createMigratedDatabase } from './migrated-database.js'

const programs = ['/usr/bin/jupyter-notebook', '/usr/bin/bwrap']
const missing = programs.find((path) => !existsSync(path))

/** Why tests with real notebooks are skipped, or false. */
export const withoutNotebooks: string | false = missing ? `${missing} is not installed` : false
if (withoutNotebooks && process.env.FIGBASE_CI) {
  throw new Error(`${withoutNotebooks}: .ci/run installs it`)
}

export const notebookPassword = 'correct horse battery'

// biome-ignore lint/suspicious/noExplicitAny: the test reads members of the JSON as it expects them
type Json = any

type Instance = { lifecycle: string; status_detail: string; running_since: string }

/** A user with a workspace. */
export class NotebookUser {
  /** Of Figbase; it may change. */
  url = ''
  workspace = ''
  #token = ''

  async signUp(): Promise<void> {
    const user = { username: 'ann', email: 'ann@example.org', password: notebookPassword }
    this.#token = (await this.call('POST', 'user/', 201, user)).auth.access
    this.workspace = (await this.call('POST', 'workspace/', 201, { name: 'Cells' })).api_id
  }

  async call(method: string, path: string, status: number, body?: object): Promise<Json> {
    const response = await fetch(`${this.url}/api/v1.4.1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.equal(response.status, status, text)
    return text ? JSON.parse(text) : undefined
  }

  /** Launches an instance; returns its id. */
  async launch(): Promise<string> {
    const launched = { name: 'Analysis', tier: 'tiny' }
    const path = `workspace/${this.workspace}/compute_instances/`
    return (await this.call('POST', path, 201, launched)).api_id
  }

  /** Returns what kinds of live events the instance with an id has had, from now on. */
  async followInstances(): Promise<(id: string) => string[]> {
    const headers = { authorization: `Bearer ${this.#token}` }
    const { body } = await fetch(`${this.url}/api/v1.4.1/events/`, { headers })
    assert.ok(body)
    const followed = { text: '' }
    const decoder = new TextDecoder()
    const read = async () => {
      for await (const chunk of body) followed.text += decoder.decode(chunk, { stream: true })
    }
    read().catch(() => {})
    return (id) =>
      [...followed.text.matchAll(/^event: compute_instance\ndata: (.*)$/gm)]
        .map(([, data = '']) => JSON.parse(data))
        .filter(({ api_id, workspace }) => api_id === id && workspace === this.workspace)
        .map(({ kind }) => kind)
  }

  async reaches(id: string, lifecycle: string): Promise<Instance> {
    let instance: Instance = { lifecycle: '', status_detail: '', running_since: '' }
    await until(async () => {
      instance = await this.call('GET', `compute/instance/${id}/`, 200)
      assert.ok(lifecycle === 'failed' || instance.lifecycle !== 'failed', instance.status_detail)
      return instance.lifecycle === lifecycle
    }, lifecycle)
    return instance
  }
}

/** The product in this process, with the driver `local`, and a user with a workspace. */
export class NotebookProduct extends NotebookUser implements AsyncDisposable {
  readonly #lifecycle = new Lifecycle()
  readonly directory: string
  readonly #env: NodeJS.ProcessEnv
  #stop = async () => {}

  private constructor(directory: string, env: NodeJS.ProcessEnv) {
    super()
    this.directory = directory
    this.#env = env
  }

  static async start(settings: NodeJS.ProcessEnv = {}): Promise<NotebookProduct> {
    const database = await createMigratedDatabase()
    const directory = await mkdtemp(join(tmpdir(), 'figbase-notebooks-'))
    const product = new NotebookProduct(directory, {
      DATABASE_URL: database.url,
      FIGBASE_SECRET_KEY: 'a secret of the tests',
      ADMIN_PASSWORD: notebookPassword,
      LOG_LEVEL: 'error',
      EMBEDDER: 'none',
      OCR_ENABLED: 'false',
      // Notebooks must know it.
      PORT: `${await freePort()}`,
      COMPUTE_DRIVER: 'local',
      COMPUTE_PORT: '0',
      COMPUTE_LOCAL_DIR: join(directory, 'compute'),
      COMPUTE_TIERS: 'tiny:1:1',
      COMPUTE_DATA_VOLUME_GB: '1',
      COMPUTE_POLL_INTERVAL: '100ms',
      COMPUTE_VOLUME_RETENTION: '0s',
      ...settings,
    })
    product.#lifecycle.onStop(() => database[Symbol.asyncDispose]())
    product.#lifecycle.onStop(() => rm(directory, { recursive: true, force: true }))
    product.#lifecycle.onStop(() => product.#stop())
    await product.#start()
    await product.signUp()
    return product
  }

  async #start() {
    const objects = createFileSystemStore(join(this.directory, 'objects'))
    const composition = await compose(services, { env: this.#env, objects, isolate: true })
    const gateway = await startGateway({ env: this.#env, ...composition })
    this.url = gateway.url
    this.#stop = async () => {
      await gateway[Symbol.asyncDispose]()
      await composition[Symbol.asyncDispose]()
    }
  }

  async restart(): Promise<void> {
    await this.#stop()
    await this.#start()
  }

  /** The home directory of a notebook. */
  volume(id: string): string {
    return join(this.directory, 'compute', id, 'volume')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#lifecycle[Symbol.asyncDispose]()
  }
}
