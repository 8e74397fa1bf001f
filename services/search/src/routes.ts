import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { SearchService } from '@figbase/proto/search'
import type { Ctx } from './context.js'
import { getIndexState } from './rpc/get-index-state.js'
import { getRevisionState } from './rpc/get-revision-state.js'
import { search } from './rpc/search.js'
import { startReindex } from './rpc/start-reindex.js'

export type Impl = ServiceImpl<typeof SearchService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) =>
  router.service(SearchService, {
    search: search(ctx),
    startReindex: startReindex(ctx),
    getRevisionState: getRevisionState(ctx),
    getIndexState: getIndexState(ctx),
  } satisfies Impl)
