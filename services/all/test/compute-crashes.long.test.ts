import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '@figbase/kit/net'
import { type Author, type Created, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { inDatabase } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process at each step of the life of a notebook, which goes on running. After a restart, commands that were
 * acknowledged are done, one notebook server runs at most, no API key is left of a stopped one, and the bill is what the
 * driver measured. `services/compute/test/crashes.long.test.ts` has all points of the reconciler, without notebooks.
 */
const programs = ['/usr/bin/jupyter-notebook', '/usr/bin/bwrap']
const missing = programs.find((path) => !existsSync(path))
const skip = missing ? `${missing} is not installed` : false

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())
const crashAt = createCrashAt(bench, {
  PORT: `${await freePort()}`,
  JOB_LEASE: '1s',
  COMPUTE_DRIVER: 'local',
  COMPUTE_TIERS: 'tiny:1:1',
  COMPUTE_DATA_VOLUME_GB: '1',
  COMPUTE_POLL_INTERVAL: '100ms',
  COMPUTE_HEARTBEAT_INTERVAL: '300ms',
  COMPUTE_IDLE_CPU_PCT: '90',
  COMPUTE_VOLUME_RETENTION: '0s',
})

type Place = { dataDir: string; workspace: string }
type Instance = Created & { lifecycle: string; status_detail: string }
type Running = Place & { id: string }

async function newPlace(author: Author, _: string, dataDir: string): Promise<Place> {
  const { api_id: workspace } = await author.json<Created>('POST', 'workspace/', { name: 'W' })
  return { dataDir, workspace }
}

const instances = (author: Author, { workspace }: Place) =>
  author.json<Instance[]>('GET', `workspace/${workspace}/compute_instances/`)
const launch = (author: Author, { workspace }: Place) =>
  author.request('POST', `workspace/${workspace}/compute_instances/`, { name: 'N' })
const order = (author: Author, id: string, command: string) =>
  author.request('POST', `compute/instance/${id}/${command}/`)

async function reaches(author: Author, id: string, lifecycle: string): Promise<Instance> {
  let found: Instance | undefined
  await until(async () => {
    found = await author.json<Instance>('GET', `compute/instance/${id}/`)
    return found.lifecycle === lifecycle
  }, `${id} to be ${lifecycle}`)
  return found ?? assert.fail()
}

async function newRunning(author: Author, _: string, dataDir: string): Promise<Running> {
  const place = await newPlace(author, _, dataDir)
  const { api_id: id } = (await (await launch(author, place)).json()) as Instance
  await reaches(author, id, 'running')
  return { ...place, id }
}

/** The notebook servers of an instance. */
const serversOf = (id: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return /^\d+$/.test(pid) && command.includes(`base_url=/instance/${id}/`)
    } catch {
      return false
    }
  }).length

/** Of an instance that has stopped. */
async function assertSound({ dataDir, id }: Running) {
  assert.equal(serversOf(id), 0)
  const keys = `select name from api_key where name like '%' || $1`
  await until(
    () =>
      inDatabase(
        dataDir,
        'identity',
        async (client) => (await client.query(keys, [id])).rowCount === 0,
      ),
    'the API key to be deleted',
  )
  const runs = `
    select ran_ms::int as ran_ms, has_ended, lag(ended_on) over (order by started_on) > started_on as overlaps
      from run where instance_id = $1 order by started_on`
  const { rows } = await inDatabase(dataDir, 'compute', (client) => client.query(runs, [id]))
  assert.ok(rows.every(({ has_ended, overlaps }) => has_ended && !overlaps))
  const status = join(dataDir, 'compute', id, 'status.json')
  const { ranForMs } = JSON.parse(readFileSync(status, 'utf8'))
  assert.equal(rows.at(-1)?.ran_ms, Math.round(ranForMs))
}

/** Nothing of the instance is left at the end of a test. */
async function remove(author: Author, { dataDir, id }: Running) {
  assert.equal((await order(author, id, 'terminate')).status, 202)
  await until(() => !existsSync(join(dataDir, 'compute', id)), 'its files to be deleted')
  assert.equal(serversOf(id), 0)
}

for (const point of [
  ...transaction('compute'),
  ...around('compute.CreateApiKey'),
  ...around('compute.write'),
]) {
  test(`launching a notebook survives a kill at ${point}`, { skip }, async () => {
    let isLaunched = false
    await crashAt(
      point,
      newPlace,
      async (author, place) => {
        isLaunched = (await launch(author, place)).status === 201
        await author.launched.ended
      },
      async (author, place) => {
        const [instance, ...others] = await instances(author, place)
        assert.ok(others.length === 0 && (instance || !isLaunched))
        if (!instance) return
        const { api_id: id } = instance
        await reaches(author, id, 'running')
        assert.equal(serversOf(id), 1)
        assert.equal((await order(author, id, 'stop')).status, 202)
        await reaches(author, id, 'stopped')
        await assertSound({ ...place, id })
        await remove(author, { ...place, id })
      },
    )
  })
}

for (const point of [
  'compute.tx.committing:1',
  'compute.tx.committed:1',
  ...around('compute.write'),
  ...around('compute.DeleteApiKey'),
]) {
  test(`stopping a notebook survives a kill at ${point}`, { skip }, async () => {
    let isStopped = false
    await crashAt(
      point,
      newRunning,
      async (author, { id }) => {
        isStopped = (await order(author, id, 'stop')).status === 202
        await author.launched.ended
      },
      async (author, running) => {
        const { id } = running
        if (!isStopped) await order(author, id, 'stop')
        await reaches(author, id, 'stopped')
        await assertSound(running)
        await order(author, id, 'start')
        await reaches(author, id, 'running')
        assert.equal(serversOf(id), 1)
        await remove(author, running)
      },
    )
  })
}

for (const point of ['compute.tx.committed:1', ...around('compute.write', 2)]) {
  test(`terminating a notebook survives a kill at ${point}`, { skip }, async () => {
    let isTerminated = false
    await crashAt(
      point,
      newRunning,
      async (author, { id }) => {
        isTerminated = (await order(author, id, 'terminate')).status === 202
        await author.launched.ended
      },
      async (author, running) => {
        if (!isTerminated) await order(author, running.id, 'terminate')
        await remove(author, running)
        await reaches(author, running.id, 'terminated')
        assert.deepEqual(await instances(author, running), [])
      },
    )
  })
}

// The warning, the stop, and that it has stopped.
for (const point of around('compute.write', 3)) {
  test(`the idle shutdown survives a kill at ${point}`, { skip }, async () => {
    await crashAt(
      point,
      newRunning,
      async (author, { id }) => {
        const change = { idle_shutdown_seconds: 2 }
        await author.request('PATCH', `compute/instance/${id}/`, change)
        await author.launched.ended
      },
      async (author, running) => {
        const { id } = running
        const { status_detail } = await reaches(author, id, 'stopped')
        assert.match(status_detail, /^It was idle for /)
        await assertSound(running)
        const events = await author.json<{ kind: string }[]>(
          'GET',
          `compute/instance/${id}/events/`,
        )
        assert.equal(events.filter(({ kind }) => kind === 'idle_stop').length, 1)
        await remove(author, running)
      },
    )
  })
}
