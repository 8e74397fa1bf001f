import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../src/client.js'
import { LATEST } from '../src/deployment.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { signUp } from '../src/users.js'

interface AccountPage {
  items: { username: string; state: string; is_staff: boolean }[]
  next_cursor: string | null
}

interface ActionPage {
  items: { action: string; created_by: string; target: string }[]
  next_cursor: string | null
}

interface AccountState {
  username: string
  is_active: boolean
  is_staff: boolean
}

test('staff find an account, deactivate and activate it, and grant the staff role', {
  skip: withoutStaff,
}, async () => {
  const staff = await signInStaff()
  const { username, password } = await signUp()
  const find = async (query = '') =>
    (await staff.get<AccountPage>(`account/?q=${username}${query}`)).body.items
  assert.deepEqual(
    (await find()).map(({ username, state }) => ({ username, state })),
    [{ username, state: 'active' }],
  )
  const change = async (action: string, body?: object) => {
    const path = `user/${username}/${action}/`
    const options = { status: 200, ...(body && { json: body }) }
    return (await staff.request<AccountState>('POST', path, options)).body
  }
  assert.deepEqual(await change('deactivate'), { username, is_active: false, is_staff: false })
  await client(LATEST).post('/api/token/', { username, password }, 401)
  assert.deepEqual(await find('&state=active'), [])
  assert.deepEqual(await change('activate'), { username, is_active: true, is_staff: false })
  const granted = await change('staff', { is_staff: true })
  assert.deepEqual(granted, { username, is_active: true, is_staff: true })
  assert.equal((await find())[0]?.is_staff, true)
})

test('staff read page by page what administrators did', { skip: withoutStaff }, async () => {
  const staff = await signInStaff()
  const { username, api } = await signUp()
  for (const action of ['deactivate', 'activate']) {
    await staff.post(`user/${username}/${action}/`, undefined, 200)
  }
  const ofUser: string[] = []
  let cursor: string | null = ''
  while (cursor !== null && ofUser.length < 2) {
    const path: string = `staff_action/?page_size=1&cursor=${cursor}`
    const { body } = await staff.get<ActionPage>(path)
    assert.equal(body.items.length, 1)
    const own = body.items.filter(({ target }) => target === username)
    ofUser.push(...own.map(({ action, created_by }) => `${action} ${created_by}`))
    cursor = body.next_cursor
  }
  assert.deepEqual(ofUser, ['activate_account admin', 'deactivate_account admin'])
  await api.get('staff_action/', 403)
  await staff.get('staff_action/?cursor=x', 400)
})
