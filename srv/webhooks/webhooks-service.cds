/**
 * Where events are sent to, and what became of them. Refusals are thrown as `Refusal` (srv/errors.ts).
 */
@protocol: 'none'
service WebhooksService {

  /** A row of restock.Webhooks; with its `secret` where it has just been made. */
  type Webhook { ID : Integer; }

  /** A row of restock.WebhookDeliveries. */
  type Delivery { webhook : Integer; event : String; }

  type WebhookPage { data : array of Webhook; next : String; }
  type DeliveryPage { data : array of Delivery; next : String; }

  function list(after : String, limit : Integer) returns WebhookPage;
  function find(ID : Integer) returns Webhook;
  action add(url : String, types : array of String) returns Webhook;
  action change(ID : Integer, url : String, types : array of String, status : String) returns Webhook;
  action remove(ID : Integer);
  action rotate(ID : Integer) returns Webhook;

  function deliveries(ID : Integer, status : String, after : String, limit : Integer) returns DeliveryPage;
  function delivery(ID : Integer, event : String) returns Delivery;
  action replay(ID : Integer, event : String) returns Delivery;
}
