type Group = {
  name: string
  /** Of the guide. */
  page: string
  description: string
  path: RegExp
}

/** The groups of routes, in the order of the specification; `path` matches their paths. The last match counts. */
const groups: Group[] = [
  {
    name: 'Authentication',
    page: 'account',
    description: 'Sign in with a password, renew and revoke tokens, and reset a password.',
    path: /^\/api\/(token|password_reset)\//,
  },
  {
    name: 'Bootstrap and info',
    page: 'versions',
    description:
      'The server, its settings, the versions of the API, and several reads in one request.',
    path: /^\/(batch|api\/versions|bootstrap|info|settings|openapi\.json)/,
  },
  {
    name: 'Organizations',
    page: 'sharing',
    description: 'Groups of workspaces with common members, plan and storage.',
    path: /^\/organization\//,
  },
  {
    name: 'Workspaces',
    page: 'concepts',
    description: 'The analyses, assets and stories of a group of members.',
    path: /^\/workspace\//,
  },
  {
    name: 'Analyses, figures, assets',
    page: 'concepts',
    description: 'Named objects to which revisions are published, and the sets that contain them.',
    path: /^\/(analysis|figure|asset)\//,
  },
  {
    name: 'Figure revisions',
    page: 'publishing',
    description: 'Versions of figures: an image, with its code and data.',
    path: /^\/revision\//,
  },
  {
    name: 'Short ids',
    page: 'short-ids',
    description: 'Short names of figure revisions, for print.',
    path: /^\/short_id_prefix\//,
  },
  {
    name: 'Asset revisions',
    page: 'assets',
    description: 'Versions of the data that figures are made from.',
    path: /^\/asset_revision\//,
  },
  {
    name: 'External data',
    page: 'assets',
    description: 'The data objects of revisions, and their bytes.',
    path: /^\/data\//,
  },
  {
    name: 'Stories',
    page: 'stories',
    description: 'Figure revisions in the order of an author, with slides.',
    path: /^\/story\//,
  },
  {
    name: 'Comments and reactions',
    page: 'comments',
    description: 'Discussions of figures, assets and their revisions.',
    path: /^\/(comment|reaction)\//,
  },
  {
    name: 'Deep Insight',
    page: 'ai',
    description: 'Questions about figures, and stories, answered by a language model.',
    path: /^\/deep_insight\//,
  },
  {
    name: 'Search',
    page: 'search',
    description: 'Search by words, by meaning, or by a picture.',
    path: /^\/search\//,
  },
  {
    name: 'Managed compute',
    page: 'compute',
    description: 'Notebook servers that start from a workspace.',
    path: /\/compute(_\w+)?\//,
  },
  {
    name: 'Tasks',
    page: 'tasks',
    description: 'Long operations in the background, and live events.',
    path: /^\/(tasks|events)\//,
  },
  {
    name: 'Webhooks',
    page: 'webhooks',
    description: 'Events that Figbase sends to other servers.',
    path: /\/webhook(_delivery)?\//,
  },
  {
    name: 'Billing',
    page: 'billing',
    description: 'What plans cost, and invoices.',
    path: /\/billing\//,
  },
  {
    name: 'Git repositories',
    page: 'git',
    description: 'Import the pictures of a Git repository as figures.',
    path: /\/git_repository\//,
  },
  {
    name: 'Users, plans, keys',
    page: 'api-keys',
    description: 'Accounts, plans, promotion codes, API keys and SSH keys.',
    path: /^\/(account|staff_action|user|plan|promotion_code|api_key|ssh_key)\//,
  },
  {
    name: 'Notifications',
    page: 'notifications',
    description: 'What reaches a user by mail.',
    path: /^\/user_profile\//,
  },
  {
    name: 'Invitations',
    page: 'invitations',
    description: 'Invite people to a workspace or an organization.',
    path: /\/invitations\//,
  },
  {
    name: 'Data upload',
    page: 'large-uploads',
    description: 'Uploads that resume after a broken connection, with the protocol tus.',
    path: /^\/upload\//,
  },
  {
    name: 'AI usage',
    page: 'ai-usage',
    description: 'The tokens that AI used.',
    path: /\/ai_usage\//,
  },
  {
    name: 'Metadata proxy',
    page: 'notebooks',
    description: 'How a notebook page sends its address to its kernel.',
    path: /^\/metadata\//,
  },
]

export const tags: { name: string; description: string }[] = groups.map(
  ({ name, page, description }) => ({
    name,
    description: `${description} See [the guide](/docs/${page}).`,
  }),
)

/** The tag of the routes with this path. */
export function tagOf(path: string): string {
  const group = groups.findLast((one) => one.path.test(path))
  if (!group) throw new Error(`no tag for the path ${path}`)
  return group.name
}
