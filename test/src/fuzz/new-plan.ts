import type { Client } from '../client.js'
import { either } from '../client.js'

type Plan = { api_id: string; is_default: boolean }

const create = (staff: Client) =>
  staff.post<Plan>(
    'plan/',
    { name: crypto.randomUUID(), is_self_service: true },
    either('there may be too many plans', 201, 400),
  )

/**
 * The id of a new plan. If there are too many, those that nobody uses are deleted first; if all are in use, one of them.
 */
export async function newPlan(staff: Client): Promise<string> {
  const first = await create(staff)
  if (first.status === 201) return first.body.api_id
  const { body: plans } = await staff.get<Plan[]>('plan/')
  for (const { api_id } of plans.filter((plan) => !plan.is_default)) {
    await staff.delete(`plan/${api_id}/`, either('it may be in use, or be gone', 204, 404, 409))
  }
  const second = await create(staff)
  if (second.status === 201) return second.body.api_id
  const used = plans.find((plan) => !plan.is_default)
  if (!used) throw new Error(`no plan can be created: ${second.text}`)
  return used.api_id
}
