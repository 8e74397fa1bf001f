import type { DescService } from '@bufbuild/protobuf'

/** The service that implements an RPC service: `stories-ai` for `figbase.stories_ai.v1.StoriesService`. */
export const peerNameOf = ({ typeName }: Pick<DescService, 'typeName'>): string =>
  (typeName.split('.')[1] ?? '').replaceAll('_', '-')

/** The setting with the addresses of a service: `STORIES_AI_URL` for `stories-ai`. */
export const peerSettingOf = (name: string): string =>
  `${name.toUpperCase().replaceAll('-', '_')}_URL`
