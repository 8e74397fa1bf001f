import assert from 'node:assert/strict'
import type { Duplex } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import { ApiKeyAccess } from '@figbase/proto/common'
import { begin, type Sent, send } from './browser.js'
import { Machines } from './memory-driver.js'
import { type NotebookDouble, startNotebookDouble } from './notebook-double.js'
import { ann, bob, eve, failureOf, nobody, type Started, start, vera } from './test-service.js'
import { frame, upgrade } from './websocket.js'

/** How soon what is not allowed any more must be closed. */
const cutMsMax = 2000
const forms = {
  'a host for each instance': {},
  'one host': { COMPUTE_PUBLIC_URL: 'http://notebooks.localhost' },
}

type Opened = { id: string; origin: string; cookie: string; base: string }

/** A running product part: the service, and what it takes for a notebook server. */
class Bench implements AsyncDisposable {
  private constructor(
    readonly at: Started,
    readonly notebook: NotebookDouble,
    readonly port: number,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<Bench> {
    let machines: Machines | undefined
    const notebook = await startNotebookDouble(
      () => machines?.runs.findLast(({ endedAtMs }) => endedAtMs === undefined)?.spec.token ?? '',
    )
    machines = new Machines({ address: notebook.address })
    const at = await start({ machines, env }).catch(async (error: unknown) => {
      await notebook[Symbol.asyncDispose]()
      throw error
    })
    return new Bench(at, notebook, at.ctx.notebooks.port())
  }

  async running(by = ann): Promise<string> {
    const { id } = await this.at.launch(by)
    await this.at.settle()
    return id
  }

  async address(id: string, by = ann): Promise<string> {
    return (await this.at.compute.connectInstance({ id }, by)).redirectUrl
  }

  send = (url: string, sent: Sent = {}) => send(this.port, url, sent)

  /** A browser that has opened the notebook of an instance. */
  async open(id: string, by = ann): Promise<Opened> {
    const url = await this.address(id, by)
    const { status, headers } = await this.send(url)
    assert.equal(status, 303)
    const [cookie = ''] = headers['set-cookie'] ?? []
    const [pair = ''] = cookie.split(';')
    return { id, origin: new URL(url).origin, cookie: pair, base: headers.location ?? '' }
  }

  get = (opened: Opened, path = '', { headers = {}, ...sent }: Sent = {}) =>
    this.send(`${opened.origin}${opened.base}${path}`, {
      ...sent,
      headers: { cookie: opened.cookie, ...headers },
    })

  socket = ({ origin, cookie, base }: Opened, headers = {}) =>
    upgrade(this.port, `${base}api/kernels/1/channels`, {
      host: new URL(origin).host,
      origin,
      cookie,
      ...headers,
    })

  async [Symbol.asyncDispose]() {
    await this.at[Symbol.asyncDispose]()
    await this.notebook[Symbol.asyncDispose]()
  }
}

const closed = (socket: Duplex) =>
  Promise.race([
    new Promise<true>((resolve) => {
      // It may have closed before this is asked.
      if (socket.closed) return resolve(true)
      socket.once('close', () => resolve(true)).resume()
    }),
    sleep(cutMsMax, false as const),
  ])

for (const [form, env] of Object.entries(forms)) {
  describe(`connect, ${form}`, () => {
    let bench: Bench
    before(async () => {
      bench = await Bench.start(env)
    })
    after(() => bench[Symbol.asyncDispose]())

    test('an address opens the notebook once; the browser never has its token', async () => {
      const id = await bench.running()
      const token = bench.at.machines.runs.at(-1)?.spec.token ?? ''
      assert.ok(token.length > 40)
      const url = await bench.address(id)
      assert.ok(!url.includes(token))
      const first = await bench.send(url)
      assert.equal(first.status, 303)
      assert.equal(first.headers.location, `/instance/${id}/`)
      const [cookie = ''] = first.headers['set-cookie'] ?? []
      const path = 'COMPUTE_PUBLIC_URL' in env ? `/instance/${id}/` : '/'
      assert.match(cookie, /^figbase-notebook=[\w.-]+; Path=\S+; HttpOnly; SameSite=Lax$/)
      assert.ok(cookie.includes(`Path=${path};`))
      assert.equal((await bench.send(url)).status, 401, 'a second time')
      const opened = {
        id,
        origin: new URL(url).origin,
        cookie: cookie.split(';')[0] ?? '',
        base: `/instance/${id}/`,
      }
      const redirected = await bench.get(opened)
      assert.equal(redirected.status, 302)
      assert.equal(redirected.headers.location, '/tree?token=')
      const page = await bench.get(opened, 'tree')
      assert.equal(page.body, '<body data-jupyter-api-token="">files</body>')
      for (const { headers } of [redirected, page]) {
        assert.equal(headers['set-cookie'], undefined)
        assert.ok(!JSON.stringify(headers).includes(token))
      }
      const received = bench.notebook.received.at(-1)?.headers
      assert.equal(received?.authorization, `token ${token}`)
      assert.equal(received.cookie, undefined, 'the notebook gets no cookie')
      await bench.at.compute.terminateInstance({ id }, ann)
      await bench.at.settle()
    })

    test('requests and WebSockets pass, and bodies in both directions', async () => {
      const opened = await bench.open(await bench.running())
      const body = Buffer.alloc(3_000_000, 1)
      const headers = { origin: opened.origin }
      const put = await bench.get(opened, 'api/contents/a', { method: 'PUT', body, headers })
      assert.deepEqual(JSON.parse(put.body), { method: 'PUT', bytes: body.length })
      assert.equal((await bench.get(opened, 'big')).body.length, 5_000_000)
      const { status, socket } = await bench.socket(opened)
      assert.ok(status === 101 && socket)
      const sent = Buffer.concat([frame(5, true), frame(70_000, true)])
      socket.write(sent)
      let left = sent.length
      for await (const chunk of socket) {
        left -= (chunk as Buffer).length
        if (left === 0) break
      }
      assert.equal(left, 0)
      await bench.at.compute.terminateInstance({ id: opened.id }, ann)
      await bench.at.settle()
    })

    test('what is not the own page of the notebook is refused', async () => {
      const own = await bench.open(await bench.running())
      const other = await bench.open(await bench.running(bob), bob)
      const before = bench.notebook.received.length
      const refused = async (status: number, sent: Sent & { url?: string }, opened = own) => {
        const url = sent.url ?? `${opened.origin}${opened.base}tree`
        const headers = { cookie: opened.cookie, ...sent.headers }
        const answer = await bench.send(url, { ...sent, headers })
        assert.equal(answer.status, status, JSON.stringify(sent))
      }
      const evil = 'http://evil.example.org'
      const { origin: figbase } = new URL('http://localhost:8000')
      await refused(401, { headers: { cookie: '' } })
      await refused(401, { headers: { cookie: `${own.cookie}x` } })
      await refused(401, { headers: { cookie: other.cookie } })
      await refused(401, { headers: { cookie: 'figbase-notebook=e30.e30.' } })
      await refused(403, { headers: { origin: evil } })
      await refused(403, { headers: { origin: figbase } })
      await refused(403, { headers: { origin: 'null' } })
      await refused(403, { method: 'POST', headers: { 'sec-fetch-site': 'same-site' } })
      await refused(403, {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      })
      await refused(403, {
        headers: {
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'iframe',
        },
      })
      await refused(421, { headers: { host: 'localhost:8000' } })
      await refused(421, { headers: { host: 'evil.example.org' } })
      await refused(404, { url: `${own.origin}/` })
      await refused(404, { url: `${own.origin}/instance/` })
      await refused(404, { url: `${own.origin}/api/v1.4.1/user/` })
      for (const path of [
        `${own.base}../${other.id}/tree`,
        `${own.base}%2e%2e/${other.id}/tree`,
        `${own.base}..%5c..%5c`,
        `//${new URL(own.origin).host}${own.base}tree`,
        `${own.base}\\..\\tree`,
        `http://127.0.0.1:22${own.base}`,
      ]) {
        const answer = await bench.send(own.origin, { path, headers: { cookie: own.cookie } })
        assert.ok([400, 403, 404].includes(answer.status), `${path}: ${answer.status}`)
      }
      await refused(400, { url: own.origin, path: `${own.base}../${other.id}/` })
      const huge = await bench.send(own.origin, {
        path: `${own.base}tree`,
        headers: { cookie: own.cookie, 'x-huge': 'a'.repeat(20_000) },
      })
      assert.equal(huge.status, 431)
      for (const headers of [
        { origin: evil },
        { origin: '' },
        { origin: figbase },
        { cookie: '' },
        { cookie: other.cookie },
        { host: 'localhost:8000' },
      ]) {
        const { status, socket } = await bench.socket(own, headers)
        assert.equal(socket, undefined, JSON.stringify(headers))
        assert.ok([401, 403, 421].includes(status))
      }
      const passed = bench.notebook.received.slice(before)
      assert.deepEqual(
        passed.filter(({ url }) => !url.includes('..%5c')),
        [],
        'nothing of it reached a notebook',
      )
      for (const id of [own.id, other.id]) await bench.at.compute.terminateInstance({ id }, ann)
      await bench.at.settle()
    })
  })
}

describe('connect', () => {
  let bench: Bench
  before(async () => {
    bench = await Bench.start({
      COMPUTE_SESSION_CHECK_INTERVAL: '200ms',
      COMPUTE_SESSION_UNCHECKED_MAX: '1s',
      COMPUTE_SESSION_REQUESTS_MAX: '3',
      COMPUTE_FRAME_BYTES_MAX: '100KiB',
      COMPUTE_REQUEST_IDLE_TIMEOUT: '1s',
    })
  })
  after(() => bench[Symbol.asyncDispose]())

  test('only the owner, while it is running', async () => {
    const { compute } = bench.at
    const id = await bench.running(bob)
    const connect = (by: typeof ann, more = {}) =>
      failureOf(compute.connectInstance({ id, ...more }, by))
    for (const by of [ann, vera]) {
      const { code, error } = await connect(by)
      assert.deepEqual([code, error], [Code.PermissionDenied, 'permission_denied'])
    }
    assert.equal((await connect(eve)).code, Code.NotFound)
    assert.equal((await connect(nobody)).code, Code.Unauthenticated)
    assert.deepEqual((await connect(bob, { app: 'rstudio' })).fields, ['app'])
    const { redirectUrl, expiresInSeconds } = await compute.connectInstance({ id }, bob)
    assert.equal(expiresInSeconds, 60)
    await compute.stopInstance({ id }, bob)
    assert.equal((await connect(bob)).error, 'instance_not_running')
    assert.equal((await bench.send(redirectUrl)).status, 401, 'it was given out before the stop')
    await bench.at.settle()
    assert.equal((await connect(bob)).error, 'instance_not_running')
    await compute.startInstance({ id }, bob)
    await bench.at.settle()
    assert.equal((await bench.send(redirectUrl)).status, 401, 'it is of the run before')
    await compute.terminateInstance({ id }, bob)
    await bench.at.settle()
    assert.equal((await connect(bob)).error, 'instance_not_running')
  })

  type Cut = (id: string) => unknown
  const cuts: Record<string, Cut> = {
    'the instance is stopped': (id) => bench.at.compute.stopInstance({ id }, bob),
    'the instance is terminated': (id) => bench.at.compute.terminateInstance({ id }, ann),
    'the run ends': (id) => bench.at.machines.crash(id),
    'its owner leaves the workspace': () => bench.at.peers.left.add('bob'),
    'all sign-ins of the owner end': () => bench.at.peers.generations.set('bob', 2),
    'the owner is deactivated': () => bench.at.peers.inactive.add('bob'),
    'it cannot be checked for long': () => {
      bench.at.peers.areUnavailable = true
    },
  }
  for (const [name, cut] of Object.entries(cuts)) {
    test(`WebSockets, requests and addresses end when ${name}`, async () => {
      const { peers } = bench.at
      const id = await bench.running(bob)
      const opened = await bench.open(id, bob)
      const unused = await bench.address(id, bob)
      const { socket } = await bench.socket(opened)
      const slow = await begin(bench.port, `${opened.origin}${opened.base}slow`, {
        headers: { cookie: opened.cookie },
      })
      const slowClosed = new Promise((resolve) => slow.once('error', resolve).resume())
      assert.ok(socket)
      assert.equal((await bench.get(opened, 'tree')).status, 200)
      await cut(id)
      if (name === 'the run ends') await bench.at.settle()
      assert.ok(await closed(socket), 'the WebSocket was closed')
      await slowClosed
      const status = peers.areUnavailable ? 503 : 401
      assert.equal((await bench.get(opened, 'tree')).status, status)
      assert.equal((await bench.send(unused)).status, status)
      assert.equal((await bench.socket(opened)).status, status)
      assert.equal(bench.notebook.sockets.size, 0)
      peers.left.clear()
      peers.generations.clear()
      peers.inactive.clear()
      peers.areUnavailable = false
      await bench.at.compute.terminateInstance({ id }, ann)
      await bench.at.settle()
    })
  }

  test('a session of an API key ends with the key', async () => {
    const { apiKeys, workspaceId } = bench.at.peers
    const apiKey = { id: newId(), workspaceId, access: ApiKeyAccess.FULL }
    apiKeys.set(apiKey.id, { name: 'script', owner: 'bob', workspaceId })
    const id = await bench.running(bob)
    const opened = await bench.open(id, actAs({ ...user('bob'), apiKey } as never))
    const { socket } = await bench.socket(opened)
    assert.ok(socket)
    apiKeys.delete(apiKey.id)
    assert.ok(await closed(socket))
    assert.equal((await bench.get(opened, 'tree')).status, 401)
    await bench.at.compute.terminateInstance({ id }, ann)
    await bench.at.settle()
  })

  test('limits: open requests, frames, idle requests', async () => {
    const id = await bench.running()
    const opened = await bench.open(id)
    const open = await Promise.all([1, 2, 3].map(() => bench.socket(opened)))
    assert.deepEqual(
      open.map(({ status }) => status),
      [101, 101, 101],
    )
    assert.equal((await bench.socket(opened)).status, 429)
    assert.equal((await bench.get(opened, 'tree')).status, 429)
    const [first, second] = open
    first?.socket?.write(frame(99_000, true))
    second?.socket?.write(frame(103_000, true).subarray(0, 20))
    assert.ok(second?.socket && (await closed(second.socket)), 'the frame is too long')
    assert.equal(first?.socket?.destroyed, false)
    const slow = await begin(bench.port, `${opened.origin}${opened.base}slow`, {
      headers: { cookie: opened.cookie },
    })
    assert.equal(slow.statusCode, 200)
    const error = await new Promise((resolve) => slow.once('error', resolve).resume())
    assert.ok(error, 'an idle response is given up')
    for (const { socket } of open) socket?.destroy()
    await bench.at.compute.terminateInstance({ id }, ann)
    await bench.at.settle()
  })

  test('a notebook server that does not respond: 502', async () => {
    const id = await bench.running()
    const opened = await bench.open(id)
    await bench.at.ctx.db
      .updateTable('instance')
      .set({ address: 'http://127.0.0.1:9' })
      .where('id', '=', id)
      .execute()
    await sleep(250)
    const { status, body } = await bench.get(opened, 'tree')
    assert.equal(status, 502)
    assert.match(body, /does not respond/)
    const { status: upgraded } = await bench.socket(opened).catch(() => ({ status: 0 }))
    assert.notEqual(upgraded, 101)
  })
})

test('a stop closes what is open, and waits for none of it', async () => {
  const bench = await Bench.start()
  const opened = await bench.open(await bench.running())
  const { socket } = await bench.socket(opened)
  assert.ok(socket)
  const begun = performance.now()
  const [isClosed] = await Promise.all([closed(socket), bench[Symbol.asyncDispose]()])
  assert.ok(isClosed)
  assert.ok(performance.now() - begun < 4000)
})
