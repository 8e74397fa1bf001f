import type { Figbase } from '@figbase/client'
import type { Reference } from './reference.js'

/** The address of the page of an object. */
export const pageOf = ({ url }: Figbase, { kind, api_id }: Reference): string =>
  `${url}/${kind === 'revision' ? 'r' : kind}/${api_id}`
