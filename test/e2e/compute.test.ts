import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, type Refusal } from '../src/client.js'
import { newOrganization, newWorkspace } from '../src/publish.js'
import { signUp } from '../src/users.js'

type Tier = { id: string; label: string; vcpu: number; memory_gb: number; description: string }
type LaunchOptions = {
  can_launch: boolean
  reason: string | null
  reason_detail: string | null
  tiers: Tier[]
  default_tier: string
}
type Usage = {
  period: string
  billable_seconds: number
  data_volume_gb: number
  tiers: unknown[]
  instances: unknown[]
}

test('the sizes of compute instances are public', async () => {
  const { body } = await client().get<Tier[]>('compute/tiers/')
  assert.ok(body.length > 0)
  for (const { id, label, vcpu, memory_gb, description } of body) {
    assert.ok(id && label && description && vcpu > 0 && memory_gb > 0)
  }
})

test('without a driver, launch options say why, and a launch is refused', async () => {
  const { api } = await signUp()
  const { api_id: workspace } = await newWorkspace(api)
  const path = `workspace/${workspace}/compute_instances/`
  const { body } = await api.get<LaunchOptions>(`${path}launch_options/`)
  assert.deepEqual([body.can_launch, body.reason], [false, 'compute_unavailable'])
  assert.match(body.reason_detail ?? '', /switched off/)
  assert.ok(body.tiers.some(({ id }) => id === body.default_tier))
  const refused = await api.post<Refusal>(path, { name: 'Spring' }, 503)
  assert.equal(refused.body.error, 'compute_unavailable')
  const wrong = await api.post<Refusal>(path, { name: '', tier: 'huge', data_volume_gb: 0 }, 400)
  assert.deepEqual(
    wrong.body.errors?.map(({ field }) => field),
    ['name', 'tier', 'data_volume_gb'],
  )
  assert.deepEqual((await api.get(path)).body, [])
  const { body: document } = await api.get<{ compute_enabled: boolean }>(`workspace/${workspace}/`)
  assert.equal(document.compute_enabled, false)
})

test('an instance that does not exist is 404 in every route', async () => {
  const { api } = await signUp()
  const path = `compute/instance/${crypto.randomUUID()}/`
  for (const suffix of ['', 'heartbeat/', 'events/', 'usage/']) {
    await api.get(`${path}${suffix}`, 404)
  }
  for (const command of ['start', 'stop', 'terminate'])
    await api.post(`${path}${command}/`, {}, 404)
  await api.post(`${path}change-tier/`, { tier: 'large' }, 404)
  await api.patch(path, { name: 'x' }, 404)
})

test('usage is shown by month, as JSON and as CSV', async () => {
  const { api } = await signUp()
  const { api_id: organization } = await newOrganization(api)
  const { api_id: workspace } = await newWorkspace(api)
  for (const path of [
    `workspace/${workspace}/compute_usage/`,
    `organization/${organization}/compute_usage/`,
  ]) {
    const { body } = await api.get<Usage>(`${path}?period=2026-02`)
    const none = { billable_seconds: 0, data_volume_gb: 0, tiers: [], instances: [] }
    assert.deepEqual(body, { period: '2026-02', ...none })
    await api.get(`${path}?period=2026-13`, 400)
    await api.get(`${path}?format=xml`, 400)
    const header = 'period,api_id,name,owner,workspace,tier,billable_seconds\r\n'
    const byQuery = await api.get(`${path}?format=csv`)
    const byHeader = await api.request('GET', path, { headers: { accept: 'text/csv' } })
    assert.deepEqual([byQuery.text, byHeader.text], [header, header])
  }
  const { body: allowance } = await api.get<{
    monthly_compute_seconds: null
    used_seconds: number
  }>(`workspace/${workspace}/compute_allowance/`)
  assert.deepEqual([allowance.monthly_compute_seconds, allowance.used_seconds], [null, 0])
})

test('earlier versions have no compute routes', async () => {
  await client('v1.4').get('compute/tiers/', 404)
})
