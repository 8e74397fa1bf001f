/** The groups of routes, in the order of the specification; `path` matches their paths. The last match counts. */
const groups: { name: string; description: string; path: RegExp }[] = [
  {
    name: 'Authentication',
    description: 'Sign in with a password, renew and revoke tokens, and reset a password.',
    path: /^\/api\/(token|password_reset)\//,
  },
  {
    name: 'Bootstrap and info',
    description:
      'The server, its settings, the versions of the API, and several reads in one request.',
    path: /^\/(batch|api\/versions|bootstrap|info|settings|openapi\.json)/,
  },
  {
    name: 'Organizations',
    description: 'Groups of workspaces with common members, plan and storage.',
    path: /^\/organization\//,
  },
  {
    name: 'Workspaces',
    description: 'The analyses, assets and stories of a group of members.',
    path: /^\/workspace\//,
  },
  {
    name: 'Analyses, figures, assets',
    description: 'Named objects to which revisions are published, and the sets that contain them.',
    path: /^\/(analysis|figure|asset)\//,
  },
  {
    name: 'Figure revisions',
    description: 'Versions of figures: an image, with its code and data.',
    path: /^\/(revision|short_id_prefix)\//,
  },
  {
    name: 'Asset revisions',
    description: 'Versions of the data that figures are made from.',
    path: /^\/asset_revision\//,
  },
  {
    name: 'External data',
    description: 'The data objects of revisions, and their bytes.',
    path: /^\/data\//,
  },
  {
    name: 'Stories',
    description: 'Figure revisions in the order of an author, with slides.',
    path: /^\/story\//,
  },
  {
    name: 'Comments and reactions',
    description: 'Discussions of figures, assets and their revisions.',
    path: /^\/(comment|reaction)\//,
  },
  {
    name: 'Deep Insight',
    description: 'Questions about figures, and stories, answered by a language model.',
    path: /^\/deep_insight\//,
  },
  {
    name: 'Search',
    description: 'Search by words, by meaning, or by a picture.',
    path: /^\/search\//,
  },
  {
    name: 'Managed compute',
    description: 'Notebook servers that start from a workspace.',
    path: /\/compute(_\w+)?\//,
  },
  {
    name: 'Tasks',
    description: 'Long operations in the background, and live events.',
    path: /^\/(tasks|events)\//,
  },
  {
    name: 'Webhooks',
    description: 'Events that Figbase sends to other servers.',
    path: /\/webhook(_delivery)?\//,
  },
  {
    name: 'Users, plans, keys',
    description: 'Accounts, notifications, plans, promotion codes, API keys and SSH keys.',
    path: /^\/(account|staff_action|user|user_profile|plan|promotion_code|api_key|ssh_key)\//,
  },
  {
    name: 'Invitations',
    description: 'Invite people to a workspace or an organization.',
    path: /\/invitations\//,
  },
  {
    name: 'Data upload',
    description: 'Uploads that resume after a broken connection, with the protocol tus.',
    path: /^\/upload\//,
  },
  {
    name: 'AI usage',
    description: 'The tokens that AI used.',
    path: /\/ai_usage\//,
  },
  {
    name: 'Metadata proxy',
    description: 'How a notebook page sends its address to its kernel.',
    path: /^\/metadata\//,
  },
]

export const tags: { name: string; description: string }[] = groups.map(
  ({ name, description }) => ({ name, description }),
)

/** The tag of the routes with this path. */
export function tagOf(path: string): string {
  const group = groups.findLast((one) => one.path.test(path))
  if (!group) throw new Error(`no tag for the path ${path}`)
  return group.name
}
