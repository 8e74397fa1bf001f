import type { CallOptions } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../context.js'
import { aiDisabled } from '../errors.js'
import type { Model } from '../model/port.js'

/** 503 without a provider. */
export function requireModel({ model }: Pick<Ctx, 'model'>): Model {
  if (!model) throw aiDisabled()
  return model
}

/** The model of a request: the named one, or that of the site settings. 503 if staff switched AI off. */
export async function requireAi(ctx: Ctx, named: string, as: CallOptions): Promise<string> {
  requireModel(ctx)
  const { aiEnabled, aiModel } = await ctx.site.getPublicSettings({}, as)
  if (!aiEnabled || !aiModel) throw aiDisabled()
  if (!named) return aiModel
  const { models } = ctx.cfg.ai
  if (!models.includes(named)) throw invalid('model', `must be one of ${models.join(', ')}`)
  return named
}
