import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Client, client, either, type Refusal } from '../src/client.js'
import { LATEST } from '../src/deployment.js'
import { storageLimitsSeen } from '../src/plans.js'
import { file, newPlace, newRevision, newWorkspace, type Place } from '../src/publish.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'

interface Plan {
  api_id: string
  name: string
  max_storage_bytes: number | null
  is_default: boolean
}
interface Subscription {
  plan: Plan
  compute_overages_enabled: boolean
  managed_by_organization: boolean
  organization: string | null
  used_storage_bytes: number
  used_users: number
}

const skip = withoutStaff

let alice: TestUser
let staff: Client
let place: Place
before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  if (!skip) staff = await signInStaff()
})

const newPlan = async (terms: object) =>
  (await staff.post<Plan>('plan/', { name: `Plan ${crypto.randomUUID()}`, ...terms })).body

const subscribe = (workspace: string, plan: string) =>
  alice.api.post<Subscription>(`workspace/${workspace}/subscription/`, { plan }, 200)

test('there is an unlimited default plan, and everyone can list the plans', async () => {
  for (const api of [alice.api, client(LATEST)]) {
    const { body } = await api.get<Plan[]>('plan/')
    const found = body.find((plan) => plan.is_default)
    assert.deepEqual([found?.name, found?.max_storage_bytes], ['Self-hosted', null])
  }
  const { workspace } = place
  const { body } = await alice.api.get<Subscription>(`workspace/${workspace.api_id}/subscription/`)
  assert.deepEqual(
    [body.plan.name, body.used_users, body.managed_by_organization, body.organization],
    ['Self-hosted', 1, false, null],
  )
})

test('only staff can change plans', { skip }, async () => {
  const plan = await newPlan({ max_storage_bytes: 1000, monthly_cost: 9.99, max_users: 3 })
  const path = `plan/${plan.api_id}/`
  const changed = await staff.patch<Plan>(path, { max_storage_bytes: null, max_users: 5 })
  assert.deepEqual(changed.body, { ...plan, max_storage_bytes: null, max_users: 5 })
  for (const [field, value] of [
    ['max_users', -1],
    ['max_users', 2 ** 31],
    ['max_storage_bytes', 1.5],
    ['monthly_cost', -1],
    ['name', ''],
    ['default_idle_seconds', 10],
  ] as const) {
    const body = {
      [field]: value,
      ...(field === 'default_idle_seconds' && { max_idle_seconds: 5 }),
    }
    const refusal = await staff.patch<Refusal>(path, body, 400)
    assert.match(`${refusal.body.detail}`, new RegExp(`^${field}:`))
  }
  await staff.post('plan/', { name: plan.name }, 409)
  for (const [method, where] of [
    ['POST', 'plan/'],
    ['PUT', path],
    ['PATCH', path],
    ['DELETE', path],
  ] as const) {
    await alice.api.request(method, where, { json: { name: 'Mine' }, status: 403 })
    await client(LATEST).request(method, where, { json: { name: 'Mine' }, status: 401 })
  }
  await staff.delete(path)
  await staff.delete(path, 404)
  const { body: plans } = await staff.get<Plan[]>('plan/')
  const standard = plans.find((one) => one.is_default)
  await staff.delete(`plan/${standard?.api_id}/`, 409)
})

test('managers can choose self-service plans', { skip }, async () => {
  const workspace = await newWorkspace(alice.api)
  const free = await newPlan({ is_self_service: true })
  const closed = await newPlan({})
  const { body } = await subscribe(workspace.api_id, free.api_id)
  assert.equal(body.plan.api_id, free.api_id)
  const path = `workspace/${workspace.api_id}/subscription/`
  for (const plan of [closed.api_id, crypto.randomUUID(), 'x']) {
    const refusal = await alice.api.post<Refusal>(path, { plan }, 400)
    assert.match(`${refusal.body.detail}`, /^plan:/)
  }
  const on = { compute_overages_enabled: true }
  const patched = await alice.api.patch<Subscription>(path, on)
  assert.deepEqual(
    [patched.body.compute_overages_enabled, patched.body.plan.api_id],
    [true, free.api_id],
  )
  await staff.delete(`plan/${free.api_id}/`, 409)
  const bob = await signUp()
  for (const [api, status] of [
    [bob.api, 403],
    [client(LATEST), 401],
  ] as const) {
    await api.get(path, status)
    await api.post(path, { plan: 7 }, status)
    await api.patch(path, on, status)
  }
})

test('rejects data above the storage limit of the plan, and leaves nothing of it', {
  skip,
}, async () => {
  const { workspace, figure } = await newPlace(alice.api)
  const plan = await newPlan({ is_self_service: true, max_storage_bytes: 100_000 })
  await subscribe(workspace.api_id, plan.api_id)
  await storageLimitsSeen()
  await newRevision(alice.api, figure.api_id, [file(Buffer.alloc(60_000, 1))])
  const tooMuch = { figure: figure.api_id, data: [file(Buffer.alloc(50_000, 2))] }
  const refusal = await alice.api.post<Refusal>('revision/', tooMuch, 403)
  assert.equal(refusal.body.error, 'max_storage_bytes')
  assert.match(`${refusal.body.detail}`, /40000 bytes/)
  const path = `workspace/${workspace.api_id}/subscription/`
  const used = async () => (await alice.api.get<Subscription>(path)).body.used_storage_bytes
  assert.equal(await used(), 60_000)
  // Of eight concurrent uploads, exactly those that fit succeed.
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      alice.api.request('POST', 'revision/', {
        json: { figure: figure.api_id, data: [file(Buffer.alloc(10_000, 10 + n))] },
        status: either('as many as fit', 201, 403),
      }),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 201).length, 4)
  assert.equal(await used(), 100_000)
  const { body } = await alice.api.get<{ revisions: { api_id: string }[] }>(
    `figure/${figure.api_id}/`,
  )
  assert.equal(body.revisions.length, 5)
  await alice.api.delete(`revision/${body.revisions[0]?.api_id}/`)
  assert.equal(await used(), 40_000)
  await newRevision(alice.api, figure.api_id, [file(Buffer.alloc(60_000, 3))])
})

test('rejects a move that exceeds the storage limit of the plan', {
  skip,
}, async () => {
  const { analysis, figure, workspace } = await newPlace(alice.api)
  await newRevision(alice.api, figure.api_id, [file(Buffer.alloc(2000, 1))])
  const plan = await newPlan({ is_self_service: true, max_storage_bytes: 1000 })
  const small = await newWorkspace(alice.api)
  await subscribe(small.api_id, plan.api_id)
  const { body: organization } = await alice.api.post<{ api_id: string }>('organization/', {
    name: 'Small lab',
  })
  const path = `organization/${organization.api_id}/subscription/`
  await alice.api.post(path, { plan: plan.api_id }, 200)
  await storageLimitsSeen()
  for (const [what, json] of [
    [`analysis/${analysis.api_id}/`, { workspace: small.api_id }],
    [`workspace/${workspace.api_id}/`, { organization: organization.api_id }],
  ] as const) {
    const before = (await alice.api.get(what)).body
    const refusal = await alice.api.request<Refusal>('PATCH', what, { json, status: 403 })
    assert.equal(refusal.body.error, 'max_storage_bytes')
    assert.deepEqual((await alice.api.get(what)).body, before)
  }
})

test('limits the number of members by the plan; each user counts once', { skip }, async () => {
  const workspace = await newWorkspace(alice.api)
  const plan = await newPlan({ is_self_service: true, max_users: 3 })
  await subscribe(workspace.api_id, plan.api_id)
  const people = await Promise.all(Array.from({ length: 5 }, () => signUp()))
  const add = ({ username }: TestUser) =>
    alice.api.post<Refusal>(
      `workspace/${workspace.api_id}/members/add/`,
      { username, membership_type: 'viewer' },
      either('as many as fit', 200, 403),
    )
  const outcomes = await Promise.all(people.map(add))
  const refused = outcomes.filter(({ status }) => status === 403)
  assert.deepEqual(
    refused.map(({ body }) => body.error),
    ['max_users', 'max_users', 'max_users'],
  )
  const { body } = await alice.api.get<Subscription>(`workspace/${workspace.api_id}/subscription/`)
  assert.equal(body.used_users, 3)
})

test('a promotion code grants a plan that is not self-service, a limited number of times', {
  skip,
}, async () => {
  const plan = await newPlan({ max_storage_bytes: 10 ** 12 })
  const { body: promotion } = await staff.post<{ promotion_code: string }>('promotion_code/', {
    plan: plan.api_id,
    uses_max: 1,
  })
  const code = promotion.promotion_code
  const [one, two] = [await newWorkspace(alice.api), await newWorkspace(alice.api)]
  const apply = (workspace: string, promotion_code: string, status = 200) =>
    alice.api.post<Plan & Refusal>(`workspace/${workspace}/promotion/`, { promotion_code }, status)
  assert.equal((await apply(one.api_id, code.toLowerCase())).body.api_id, plan.api_id)
  await apply(one.api_id, code)
  assert.match(`${(await apply(two.api_id, code, 400)).body.detail}`, /^promotion_code:/)
  await apply(two.api_id, 'NO-SUCH-CODE', 400)
  await staff.delete(`promotion_code/${code}/`)
  await staff.delete(`promotion_code/${code}/`, 404)
  const over = { plan: plan.api_id, expiry: '2020-01-01 00:00:00', promotion_code: 'OVER-2020' }
  await staff.post('promotion_code/', over)
  await apply(two.api_id, 'OVER-2020', 400)
  await staff.delete('promotion_code/OVER-2020/')
  await alice.api.get('promotion_code/', 403)
  await alice.api.post('promotion_code/', { plan: plan.api_id }, 403)
  await alice.api.delete('promotion_code/X/', 403)
})

test('workspaces of an organization have its plan', { skip }, async () => {
  const { body: organization } = await alice.api.post<{ api_id: string }>('organization/', {
    name: 'Lab',
  })
  const workspace = await newWorkspace(alice.api)
  const plan = await newPlan({ is_self_service: true, max_storage_bytes: 1_000_000 })
  const path = `organization/${organization.api_id}/subscription/`
  await alice.api.post(path, { plan: plan.api_id }, 200)
  await alice.api.patch(`workspace/${workspace.api_id}/`, { organization: organization.api_id })
  const own = `workspace/${workspace.api_id}`
  const { body } = await alice.api.get<Subscription>(`${own}/subscription/`)
  assert.deepEqual(
    [body.plan.api_id, body.managed_by_organization, body.organization],
    [plan.api_id, true, organization.api_id],
  )
  for (const [where, json] of [
    ['subscription/', { plan: plan.api_id }],
    ['promotion/', { promotion_code: 'ANY-CODE' }],
    ['storage/', { vendor: 'aws', params: {} }],
    ['storage/test/', { vendor: 'aws', params: {} }],
  ] as const) {
    const refusal = await alice.api.post<Refusal & { managed_by_organization: boolean }>(
      `${own}/${where}`,
      json,
      409,
    )
    assert.equal(refusal.body.managed_by_organization, true)
  }
})

test('a workspace has the default storage; rejects unknown vendors', async () => {
  const path = `workspace/${place.workspace.api_id}/storage/`
  const standard = { vendor: 'GoFigr.io', params: null }
  assert.deepEqual((await alice.api.get(path)).body, standard)
  for (const where of [path, `${path}test/`]) {
    assert.deepEqual((await alice.api.post(where, standard, 200)).body, standard)
    const wrong = await alice.api.post<Refusal>(where, { vendor: 'tape', params: {} }, 400)
    assert.match(`${wrong.body.detail}`, /^vendor:/)
    await (await signUp()).api.post(where, { vendor: 7 }, 403)
  }
  await (await signUp()).api.get(path, 403)
})
