import { z } from 'zod'

const text = z.string('must be a string')
const patterns = z.array(text, 'must be a list').max(50, 'must have at most 50 items')

/** Members of bodies. */
export const members = {
  url: text,
  branch: text.optional(),
  token: text.nullish(),
  ssh_key: text.meta({ format: 'uuid' }).nullish(),
  include: patterns.optional(),
  exclude: patterns.optional(),
  schedule: text.nullish(),
}
