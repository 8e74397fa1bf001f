import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { CatalogService, type NodeType } from '@figbase/proto/catalog'
import { IdentityService } from '@figbase/proto/identity'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import jwt from 'jsonwebtoken'

/** What identity and catalog say to who mails mentions, and what they were asked. */
export type Neighbours = {
  /** By username in lower case: those who get mail, as their accounts have the name. */
  reachable: Map<string, { username: string; email: string }>
  names: { firstName: string; lastName: string }
  site: { siteName: string; announcement: string }
  /** Of the target, and of what it is in. */
  nodeName: string
  parentName: string
  viewers: Set<string>
  /** Which call is answered `unavailable`. */
  away: 'listRecipients' | 'listViewers' | 'getNode' | 'listUsers' | 'getPublicSettings' | undefined
  /** Each call: who asked for what. */
  asked: string[]
}

export const neighbours = (): Neighbours => ({
  reachable: new Map(),
  names: { firstName: 'Ann', lastName: 'Lee' },
  site: { siteName: 'Figbase', announcement: '' },
  nodeName: 'Cells',
  parentName: 'Tissue',
  viewers: new Set(),
  away: undefined,
  asked: [],
})

export const routesOf = (they: Neighbours) => (router: ConnectRouter) => {
  const note = (name: string, header: Headers, what: unknown) => {
    they.asked.push(`${callerOf(header)}: ${name} ${what}`)
    if (they.away === name) throw new ConnectError('away', Code.Unavailable)
  }
  router.service(AccountsService, {
    listRecipients({ usernames }, { requestHeader }) {
      note('listRecipients', requestHeader, usernames)
      const found = usernames.flatMap((username) => they.reachable.get(username) ?? [])
      return { recipients: found }
    },
  })
  router.service(IdentityService, {
    listUsers({ usernames }, { requestHeader }) {
      note('listUsers', requestHeader, usernames)
      return { users: usernames.map((username) => ({ username, ...they.names })) }
    },
  })
  router.service(SiteService, {
    getPublicSettings(_, { requestHeader }) {
      note('getPublicSettings', requestHeader, 'site')
      return they.site
    },
  })
  router.service(CatalogService, {
    checkAccess: ({ type }) => ({ type, workspaceId: '' }),
    listViewers({ nodeIds, usernames }, { requestHeader }) {
      note('listViewers', requestHeader, usernames)
      const viewing = usernames.filter((username) => they.viewers.has(username))
      return { nodes: nodeIds.map((nodeId) => ({ nodeId, usernames: viewing })) }
    },
    getNode({ id, type, withParent }, { requestHeader }) {
      note('getNode', requestHeader, nameOf(type))
      return {
        node: { id, type, name: they.nodeName },
        ...(withParent && { parent: { name: they.parentName } }),
      }
    },
  })
}

const nameOf = (type: NodeType) => `type ${type}`

/** By the signed principal: `system`, or a username. */
function callerOf(header: Headers): string {
  const claims = jwt.decode(header.get('figbase-principal') ?? '', { json: true })
  return claims?.y ? 'system' : String(claims?.u)
}
