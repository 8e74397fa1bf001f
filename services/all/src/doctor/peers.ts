import { readSettings } from '@figbase/kit/config'
import { readKeys } from '@figbase/kit/keys'
import { checkPeer, peerSettingOf } from '@figbase/kit/rpc'
import { internalKeyPurpose } from '@figbase/kit/service'
import { type PeerName, readPeerSettings } from '@figbase/kit/settings'
import { CatalogService } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { ComputeService } from '@figbase/proto/compute'
import { IdentityService } from '@figbase/proto/identity'
import { RevisionsService } from '@figbase/proto/revisions'
import { SearchService } from '@figbase/proto/search'
import { StoriesService } from '@figbase/proto/stories'
import { TasksService } from '@figbase/proto/tasks'
import { type Finding, ok, problem, reasonOf, warning } from './finding.js'

type Check = [setting: string, check: () => Promise<Finding>]

const peers = {
  identity: IdentityService,
  catalog: CatalogService,
  revisions: RevisionsService,
  comments: CommentsService,
  compute: ComputeService,
  search: SearchService,
  'stories-ai': StoriesService,
  tasks: TasksService,
} satisfies Record<PeerName, unknown>

/** Checks each configured address of a service like its callers; none when all run in one process. */
export function peerChecks(env: NodeJS.ProcessEnv, timeoutMs: number): Check[] {
  // Without a secret, the check reports a different one.
  const own = { ...env, FIGBASE_SECRET_KEY: env.FIGBASE_SECRET_KEY || 'none' }
  const { keys, calls, urls } = readSettings(own, (reader) => ({
    keys: readKeys(reader).derive(internalKeyPurpose),
    ...readPeerSettings(reader),
  }))
  return Object.entries(peers).flatMap(([name, service]) => {
    const setting = peerSettingOf(name)
    const check = async (url: string): Promise<Finding> => {
      try {
        const state = await checkPeer(service, url, { keys, calls, timeoutMs })
        return findings[state](setting, url)
      } catch (error) {
        // A warning only: this is expected before the first start.
        return warning(setting, `${url}: ${reasonOf(error)}`, 'Start it, or correct the address.')
      }
    }
    return (urls[name] ?? []).map((url): Check => [setting, () => check(url)])
  })
}

const findings = {
  serving: (setting: string, url: string) => ok(setting, `${url} answers`),
  'not ready': (setting: string, url: string) =>
    warning(setting, `${url} is not ready`, 'See its /readyz for the reason.'),
  'another service': (setting: string, url: string) =>
    problem(setting, `${url} is a different service`, 'Correct the address.'),
  'another secret': (setting: string, url: string) =>
    problem(
      setting,
      `${url} has a different FIGBASE_SECRET_KEY`,
      'Set the same secret for all processes.',
    ),
}
