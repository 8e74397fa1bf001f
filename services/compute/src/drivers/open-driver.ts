import type { Config } from '../config.js'
import { createKubernetesDriver } from './kubernetes/index.js'
import { createLocalDriver } from './local/index.js'
import type { Driver } from './port.js'

const drivers = {
  off: () => undefined,
  local: ({ local }) => createLocalDriver(local),
  kubernetes: ({ kubernetes }) => createKubernetesDriver(kubernetes),
} satisfies Record<Config['driver'], (cfg: Config) => Driver | undefined>

export const openDriver = (cfg: Config): Driver | undefined => drivers[cfg.driver](cfg)
