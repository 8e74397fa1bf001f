import { Code } from '@connectrpc/connect'
import { failure, tooMany } from '@figbase/kit/errors'
import type { Allowance } from '@figbase/kit/limits'

export const searchUnavailable = () =>
  failure(
    Code.Unavailable,
    'search_unavailable',
    'search is not available at the moment: try again later',
  )
export const tooManySearches = (allowance: Allowance) =>
  tooMany('too_many_searches', 'too many searches in a minute', allowance)
