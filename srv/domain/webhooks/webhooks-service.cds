using { restock } from '../../../db';

/**
 * Where events are sent to, and what became of them. Refusals are thrown as `Refusal` (srv/base/errors.ts).
 */
@protocol: 'none'
service WebhooksService {

  type Webhook : projection on restock.Webhooks {
    ID, url, types, status, disabledReason, failingSince, position, createdAt, createdBy
  };
  /** With its secret, which is told this once. */
  type NewWebhook : projection on restock.Webhooks {
    ID, url, types, status, disabledReason, failingSince, position, createdAt, createdBy, null as secret : String
  };

  type Delivery : projection on restock.WebhookDeliveries {
    webhook, event, type, status, attempts, nextAttemptAt, lastAttemptAt, responseStatus, problem
  };

  type WebhookPage { data : array of Webhook; next : String; }
  type DeliveryPage { data : array of Delivery; next : String; }

  function list(after : String, limit : Integer) returns WebhookPage;
  function find(ID : Integer) returns Webhook;
  action add(url : String, types : array of String) returns NewWebhook;
  action change(ID : Integer, url : String, types : array of String, status : String) returns Webhook;
  action remove(ID : Integer);
  action rotate(ID : Integer) returns NewWebhook;

  function deliveries(ID : Integer, status : String, after : String, limit : Integer) returns DeliveryPage;
  function delivery(ID : Integer, event : String) returns Delivery;
  action replay(ID : Integer, event : String) returns Delivery;
}
