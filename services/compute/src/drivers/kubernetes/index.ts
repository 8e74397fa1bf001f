export { createKubernetesDriver } from './kubernetes-driver.js'
export { type KubernetesSettings, readKubernetesSettings } from './settings.js'
