import type { Cost } from './expected.js'
import type { AiProduct } from './product.js'

type Row = Cost & { username: string; workspace_id: string; model: string; route: string }

export const keyOf = (of: Omit<Row, keyof Cost>): string =>
  [of.username, of.workspace_id, of.model, of.route].join(' ')

/** Costs by user, workspace, model and route. */
export class Costs {
  readonly #all = new Map<string, Cost>()

  add(key: string, { requests, input, output, estimated }: Cost): void {
    if (requests === 0) return
    const before = this.#all.get(key) ?? { requests: 0, input: 0, output: 0, estimated: 0 }
    this.#all.set(key, {
      requests: before.requests + requests,
      input: before.input + input,
      output: before.output + output,
      estimated: before.estimated + estimated,
    })
  }

  toObject(): Record<string, Cost> {
    return Object.fromEntries([...this.#all].sort(([a], [b]) => a.localeCompare(b)))
  }

  total(): Cost {
    const total = { requests: 0, input: 0, output: 0, estimated: 0 }
    for (const cost of this.#all.values()) {
      for (const name of Object.keys(total) as (keyof Cost)[]) total[name] += cost[name]
    }
    return total
  }
}

/** The settled requests. */
export async function readUsage({ query }: AiProduct): Promise<Costs> {
  const rows = await query<Row>(
    `select workspace_id, username, model, route, requests, input_tokens::int as input,
            output_tokens::int as output, estimated_tokens::int as estimated
       from ai_usage`,
  )
  const costs = new Costs()
  for (const row of rows) costs.add(keyOf(row), row)
  return costs
}

/** The tokens of the holders of plans: here each workspace is one. */
export const readQuotas = ({
  query,
}: AiProduct): Promise<{ workspace_id: string; used: number; reserved: number }[]> =>
  query(
    `select holder_id as workspace_id, sum(used_tokens)::int as used, sum(reserved_tokens)::int as reserved
       from ai_quota group by holder_id order by holder_id`,
  )

/** Lets the time of open requests pass, so that they are settled within seconds. */
export async function settleExpired({ query }: AiProduct): Promise<void> {
  await query(`update ai_request set expires_on = now() - interval '1 s'`)
}
