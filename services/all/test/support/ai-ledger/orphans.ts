import assert from 'node:assert/strict'
import type { Asker } from './asker.js'
import { inputEstimate, outputMax, type Sent } from './expected.js'
import type { AiProduct } from './product.js'

/** A row of `ai_request` whose process was killed. */
export type Orphan = {
  id: string
  username: string
  workspace_id: string
  model: string
  route: string
  input_tokens: number
  output_tokens: number
}

/** The requests that killed processes did not settle. */
export class Orphans {
  readonly all: Orphan[] = []
  /** What the model got of them; others were killed before they were sent. */
  readonly sent = new Set<Sent>()

  constructor(readonly product: AiProduct) {}

  /** To be called when nobody asks, so that each open request belongs to a killed process. */
  async find(askers: Asker[]): Promise<void> {
    const known = this.all.map(({ id }) => id)
    const text = `select id, username, workspace_id, model, route, input_tokens, output_tokens
                    from ai_request where not id = any($1::uuid[])`
    const found = await this.product.query<Orphan>(text, [known])
    assert.equal(new Set(found.map(({ username }) => username)).size, found.length)
    for (const orphan of found) {
      this.all.push(orphan)
      const asker = askers.find(({ username }) => username === orphan.username)
      asker?.orphans.push(orphan.id)
      const last = asker?.lastSent()
      if (!last || this.sent.has(last) || !isOf(orphan, last)) continue
      this.sent.add(last)
      assert.ok(orphan.output_tokens <= outputMax(last), 'more output than the model has')
    }
  }
}

const isOf = (orphan: Orphan, { request, ask }: Sent) =>
  orphan.model === request.model &&
  orphan.route === ask.route &&
  orphan.input_tokens === inputEstimate(request)
