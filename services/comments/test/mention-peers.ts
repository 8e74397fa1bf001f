import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { CatalogService, type NodeType } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import jwt from 'jsonwebtoken'

/** The state of stubs of identity and catalog, and the calls that they received. */
export type Peers = {
  /** Users who receive mail, by their username in lower case. */
  reachable: Map<string, { username: string; email: string }>
  names: { firstName: string; lastName: string }
  site: { siteName: string; announcement: string }
  /** The names of the target and of its parent. */
  nodeName: string
  parentName: string
  viewers: Set<string>
  /** The call that fails with `unavailable`. */
  failing:
    | 'listRecipients'
    | 'listViewers'
    | 'getNode'
    | 'listUsers'
    | 'getPublicSettings'
    | undefined
  /** The received calls: caller, method and subject. */
  calls: string[]
}

export const createPeers = (): Peers => ({
  reachable: new Map(),
  names: { firstName: 'Ann', lastName: 'Lee' },
  site: { siteName: 'Figbase', announcement: '' },
  nodeName: 'Cells',
  parentName: 'Tissue',
  viewers: new Set(),
  failing: undefined,
  calls: [],
})

export const routesOf = (peers: Peers) => (router: ConnectRouter) => {
  const note = (name: string, header: Headers, what: unknown) => {
    peers.calls.push(`${callerOf(header)}: ${name} ${what}`)
    if (peers.failing === name) throw new ConnectError('unavailable', Code.Unavailable)
  }
  router.service(AccountsService, {
    listRecipients({ usernames }, { requestHeader }) {
      note('listRecipients', requestHeader, usernames)
      const found = usernames.flatMap((username) => peers.reachable.get(username) ?? [])
      return { recipients: found }
    },
  })
  router.service(IdentityService, {
    listUsers({ usernames }, { requestHeader }) {
      note('listUsers', requestHeader, usernames)
      return { users: usernames.map((username) => ({ username, ...peers.names })) }
    },
  })
  router.service(SiteService, {
    getPublicSettings(_, { requestHeader }) {
      note('getPublicSettings', requestHeader, 'site')
      return peers.site
    },
  })
  router.service(CatalogService, {
    checkAccess: ({ type }) => ({ type, workspaceId: '' }),
    listViewers({ nodeIds, usernames }, { requestHeader }) {
      note('listViewers', requestHeader, usernames)
      const viewing = usernames.filter((username) => peers.viewers.has(username))
      return { nodes: nodeIds.map((nodeId) => ({ nodeId, usernames: viewing })) }
    },
    getNode({ id, type, withParent }, { requestHeader }) {
      note('getNode', requestHeader, nameOf(type))
      return {
        node: { id, type, name: peers.nodeName },
        ...(withParent && { parent: { name: peers.parentName } }),
      }
    },
  })
}

const nameOf = (type: NodeType) => `type ${type}`

/** The caller by the signed principal: `system`, or a username. */
function callerOf(header: Headers): string {
  const claims = jwt.decode(header.get('figbase-principal') ?? '', { json: true })
  return claims?.y ? 'system' : String(claims?.u)
}
