# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

# Devise's passwords, hashed and verified by fountd over TCP. Devise's own pepper must be empty, and
# paranoid makes unknown users take as long. All sessions end once. Put this file into
# app/models/concerns; in the model, after devise:
#
#   include FountdDevise
#
# and in ApplicationController:
#
#   before_action { FountdDevise::Current.address = request.remote_ip }
#   rescue_from FountdDevise::Unavailable do |e|
#     response.headers["Retry-After"] = e.retry_after
#     render plain: "Please try again soon.", status: 503
#   end

require "json"
require "net/http"
require "openssl"

module FountdDevise
  extend ActiveSupport::Concern

  # The password is neither right nor wrong.
  class Unavailable < StandardError
    attr_reader :retry_after # seconds

    def initialize(why, retry_after = nil)
      super("fountd: #{why}")
      @retry_after = retry_after || "1"
    end
  end

  # The password is too long, or a new one is empty.
  class InvalidPassword < ArgumentError; end

  class Current < ActiveSupport::CurrentAttributes
    attribute :address # where the attempt comes from
  end

  mattr_accessor :url, default: ENV.fetch("FOUNTD_URL", "http://127.0.0.1:8080")

  included do
    validate { errors.add(:password, @invalid_password) if @invalid_password }
  end

  def self.ask(what, password, **request)
    request.update(password_b64: [password].pack("m0"), principal: Current.address.to_s, deadline_ms: 1000)
    uri = URI(url)
    # For TLS with a client certificate: cert, key and ca_file.
    http = Net::HTTP.start(uri.host, uri.port, nil, # no proxy, whatever http_proxy says
                           use_ssl: uri.scheme == "https", open_timeout: 1, read_timeout: 5)
    reply = http.post("/v1/#{what}", request.to_json, "Content-Type" => "application/json")
    http.finish
    return JSON.parse(reply.body) if reply.code == "200" && reply.content_type == "application/json"

    # Others that answer at this address may repeat the password, and say nothing of it.
    problem = reply.content_type == "application/problem+json" ? JSON.parse(reply.body) : {}
    why = "#{reply.code} #{problem["detail"]}"
    raise Unavailable.new(why, reply["Retry-After"]) if %w[429 502 503 504].include?(reply.code)
    raise InvalidPassword, problem["detail"] if %w[too_large too_long empty nul].include?(problem["reason"])
    raise "fountd: #{why}" # a defect
  rescue SystemCallError, IOError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError => e
    raise Unavailable, e.inspect
  end

  # One call verifies and brings the hash to store: a second one could be refused.
  def valid_password?(password)
    stored = encrypted_password
    answer = FountdDevise.ask("verify", password, hash: stored, upgrade: true)
    if answer["hash"]
      self.class.where(id: id, encrypted_password: stored).update_all(encrypted_password: answer["hash"])
      reload
    end
    answer.fetch("match") == true
  rescue InvalidPassword
    false
  end

  # Devise's own takes 29 characters, which all users' hashes share. Sessions end at another hash.
  def authenticatable_salt
    OpenSSL::Digest::SHA256.hexdigest(encrypted_password)
  end

  protected

  def password_digest(password)
    @invalid_password = nil
    FountdDevise.ask("hash", password).fetch("hash")
  rescue InvalidPassword => e
    @invalid_password = e.message
    ""
  end
end
