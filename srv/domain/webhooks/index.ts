// Webhooks: the receivers of events, and the deliveries to them.
export { deliveryWorkers } from './send.ts'
export {
  addWebhook,
  changeWebhook,
  findDelivery,
  findWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  rotateSecret,
} from './manage.ts'
export { type DeliveryRow, resealAtStart, type WebhookRow } from './secrets.ts'
